package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.JavaObjects;
import dev.isogrid.codec.ObjectReader;
import java.io.IOException;
import java.io.NotSerializableException;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns tasks and their results into bytes and back, by Java serialisation. Thread-safe. */
final class ObjectShipping {
  private final Supplier<ObjectReader> objects;
  private final @Nullable ClassLoader loader;

  /**
   * Finds classes with the loader of the thread that makes this, and else with this library's.
   *
   * @param objects the node's reader, which is asked for when something is read
   */
  ObjectShipping(Supplier<ObjectReader> objects) {
    this.objects = objects;
    this.loader = Thread.currentThread().getContextClassLoader();
  }

  /**
   * An object as bytes.
   *
   * @param what the object's role, for the message
   * @throws InvalidRequestException if it can't be serialised, naming what can't
   */
  ByteString toBytes(@Nullable Object object, String what) {
    try {
      return JavaObjects.toBytes(object);
    } catch (IOException | RuntimeException failure) {
      throw new InvalidRequestException(
          "%s can't be sent to other nodes: class=%s, not serialisable=%s%s; make it serialisable"
              .formatted(what, name(object), culprit(failure), captured(object)),
          failure);
    }
  }

  private static String name(@Nullable Object object) {
    return object == null ? "null" : object.getClass().getName();
  }

  private static String culprit(Exception failure) {
    return failure instanceof NotSerializableException
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }

  /** Which of the things that a lambda captures can't be serialised, or nothing. */
  private static String captured(@Nullable Object object) {
    SerializedLambda lambda = object == null ? null : lambda(object);
    if (lambda == null) {
      return "";
    }
    for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
      Object argument = lambda.getCapturedArg(i);
      try {
        ByteString _ = JavaObjects.toBytes(argument);
      } catch (IOException | RuntimeException _) {
        return ", captured by the lambda as its argument %d of class %s"
            .formatted(i + 1, name(argument));
      }
    }
    return "";
  }

  private static @Nullable SerializedLambda lambda(Object object) {
    try {
      Method method = object.getClass().getDeclaredMethod("writeReplace");
      method.setAccessible(true);
      return method.invoke(object) instanceof SerializedLambda lambda ? lambda : null;
    } catch (ReflectiveOperationException | RuntimeException _) {
      return null; // no lambda, or one that may not be looked into: the message says less
    }
  }

  /**
   * The object that bytes are.
   *
   * @throws InvalidRequestException if its class is not on this node, is another version, or is not
   *     allowed to come from other nodes
   */
  @Nullable Object fromBytes(ByteString bytes, String what) {
    try {
      return objects.get().read(bytes.toByteArray(), 0, bytes.length(), loader);
    } catch (IOException | ClassNotFoundException | RuntimeException failure) {
      throw new InvalidRequestException(
          "%s can't be read: %s; have its classes, in the same version, on all nodes"
              .formatted(what, failure),
          failure);
    }
  }
}
