package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An object of a user for other nodes, as bytes, or a message that says why that is not possible.
 */
public final class ShippedObject {
  private ShippedObject() {}

  /**
   * An object as Java serialises it.
   *
   * @param what the object's role, for the message
   * @throws InvalidRequestException if it can't be serialised; names what can't, and what to do
   */
  public static ByteString toBytes(@Nullable Object object, String what) {
    try {
      return JavaObjects.toBytes(object);
    } catch (IOException | RuntimeException failure) {
      throw new InvalidRequestException(
          "%s can't be sent to other nodes: class=%s, not serialisable=%s%s; %s"
              .formatted(
                  what,
                  name(object),
                  culprit(failure),
                  captured(object),
                  remedy(object, culprit(failure))),
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

  /** The methods of the JDK make objects that capture the user's functions, which are not sent. */
  private static String remedy(@Nullable Object object, String culprit) {
    if (isOrCapturesComparator(object)) {
      return "wrap the comparator in a lambda, such as (a, b) -> Long.compare(a.score(),"
          + " b.score())";
    }
    if (culprit.startsWith(Collectors.class.getName())) {
      return "wrap the collector in a lambda that makes it, such as () -> Collectors.counting()";
    }
    return "make it serialisable, and let a lambda capture only what is";
  }

  private static boolean isOrCapturesComparator(@Nullable Object object) {
    SerializedLambda lambda = object instanceof Serializable ? lambda(object) : null;
    if (lambda != null) {
      for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
        if (lambda.getCapturedArg(i) instanceof Comparator) {
          return true;
        }
      }
    }
    return object instanceof Comparator;
  }

  /** Which of the things that a function captures can't be serialised, or nothing. */
  private static String captured(@Nullable Object object) {
    if (!(object instanceof Serializable)) {
      return "";
    }
    SerializedLambda lambda = lambda(object);
    return lambda == null ? capturedField(object) : capturedArgument(lambda);
  }

  private static String capturedArgument(SerializedLambda lambda) {
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

  private static String capturedField(Object object) {
    for (Field field : object.getClass().getDeclaredFields()) {
      boolean isValue = !Modifier.isStatic(field.getModifiers());
      if (isValue
          && !field.getType().isPrimitive()
          && !Serializable.class.isAssignableFrom(field.getType())
          && !field.getType().isInterface()) {
        return ", captured as field=" + field.getName();
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
}
