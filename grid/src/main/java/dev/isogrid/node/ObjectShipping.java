package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.codec.ShippedObject;
import java.io.IOException;
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
    return ShippedObject.toBytes(object, what);
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
    } catch (IOException
        | ClassNotFoundException
        | RuntimeException
        | LinkageError
        | StackOverflowError failure) {
      throw new InvalidRequestException(
          "%s can't be read: %s; have its classes, in the same version, on all nodes"
              .formatted(what, failure),
          failure);
    }
  }
}
