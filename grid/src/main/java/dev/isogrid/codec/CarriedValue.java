package dev.isogrid.codec;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serial;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of a record or an {@link Optional} that is not {@code Serializable}, in what
 * nodes send each other: its components by name. A component that the reader's version of the
 * record does not have is left out; one that it has more is null or zero. Immutable.
 */
final class CarriedValue implements Serializable {
  private static final long serialVersionUID = 1;

  private final Class<?> type;
  private final String[] names;

  @SuppressWarnings("serial") // what can't be serialised is refused when it is written
  private final @Nullable Object[] values;

  /** Takes the arrays. */
  CarriedValue(Class<?> type, String[] names, @Nullable Object[] values) {
    this.type = type;
    this.names = names;
    this.values = values;
  }

  /** Returns what must be written in place of an object: itself, unless it needs another form. */
  static Object inPlaceOf(Object object) {
    if (object instanceof Serializable) {
      return object;
    }
    return switch (object) {
      case Record held when isReadable(held.getClass()) -> of(held);
      case Optional<?> held ->
          new CarriedValue(Optional.class, new String[0], new Object[] {held.orElse(null)});
      default -> object;
    };
  }

  /** Whether this library may look into a record: those of the JDK are closed to it. */
  private static boolean isReadable(Class<?> type) {
    Module module = type.getModule();
    return module.isOpen(type.getPackageName(), CarriedValue.class.getModule());
  }

  private static CarriedValue of(Record object) {
    RecordComponent[] components = object.getClass().getRecordComponents();
    String[] names = new String[components.length];
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      names[i] = components[i].getName();
      values[i] = value(object, components[i]);
    }
    return new CarriedValue(object.getClass(), names, values);
  }

  private static @Nullable Object value(Record object, RecordComponent component) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(object);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "component of a record not readable: class=%s, component=%s"
              .formatted(object.getClass().getName(), component.getName()),
          e);
    }
  }

  /** The object that this stands for. */
  @Serial
  private Object readResolve() throws ObjectStreamException {
    if (type == Optional.class && values.length == 1) {
      return Optional.ofNullable(values[0]);
    }
    if (!type.isRecord() || names.length != values.length) {
      throw new InvalidObjectException("not a record: class=" + type.getName());
    }
    Map<String, @Nullable Object> byName = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      byName.put(names[i], values[i]);
    }
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] arguments =
        Arrays.stream(components)
            .map(each -> byName.getOrDefault(each.getName(), zero(each.getType())))
            .toArray();
    return made(types, arguments);
  }

  private static @Nullable Object zero(Class<?> type) {
    return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
  }

  private Object made(Class<?>[] types, @Nullable Object[] arguments) throws ObjectStreamException {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      Throwable cause = e instanceof InvocationTargetException thrown ? thrown.getCause() : e;
      InvalidObjectException refused =
          new InvalidObjectException(
              "record not made: class=%s, %s".formatted(type.getName(), cause));
      refused.initCause(e);
      throw refused;
    }
  }
}
