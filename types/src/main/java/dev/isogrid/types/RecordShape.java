package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ways into a record's class.
 *
 * @param constructor takes an array of all components, gives the record
 * @param getters of the components in their order, each from an {@code Object} to the component's
 *     primitive type, or to {@code Object}
 * @param defaults gives a record with the values of missing components; null if there is none
 */
record RecordShape(
    MethodHandle constructor,
    java.util.List<MethodHandle> getters,
    @Nullable MethodHandle defaults) {
  /** Name of the static method without parameters that gives a record with the defaults. */
  private static final String DEFAULTS = "defaults";

  /**
   * Looks a record up.
   *
   * @throws InvalidRequestException if its module keeps it closed
   */
  static RecordShape of(Class<?> type) {
    RecordShape.class.getModule().addReads(type.getModule()); // users' modules can't be required
    try {
      return of(type, MethodHandles.privateLookupIn(type, MethodHandles.lookup()));
    } catch (IllegalAccessException | NoSuchMethodException closed) {
      try {
        return of(type, MethodHandles.publicLookup());
      } catch (IllegalAccessException | NoSuchMethodException e) {
        throw Refusals.closed(type, closed);
      }
    }
  }

  private static RecordShape of(Class<?> type, MethodHandles.Lookup lookup)
      throws IllegalAccessException, NoSuchMethodException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    MethodHandle constructor =
        lookup
            .findConstructor(type, MethodType.methodType(void.class, types))
            .asFixedArity()
            .asSpreader(Object[].class, types.length)
            .asType(MethodType.methodType(Object.class, Object[].class));
    MethodHandle[] getters = new MethodHandle[components.length];
    for (int i = 0; i < getters.length; i++) {
      Class<?> result = types[i].isPrimitive() ? types[i] : Object.class;
      getters[i] =
          lookup
              .unreflect(components[i].getAccessor())
              .asType(MethodType.methodType(result, Object.class));
    }
    MethodHandle defaults =
        hasDefaults(type)
            ? lookup
                .findStatic(type, DEFAULTS, MethodType.methodType(type))
                .asType(MethodType.methodType(Object.class))
            : null;
    return new RecordShape(constructor, java.util.List.of(getters), defaults);
  }

  /** Whether a record has a method that gives one with defaults. */
  static boolean hasDefaults(Class<?> type) {
    try {
      Method method = type.getDeclaredMethod(DEFAULTS);
      return Modifier.isStatic(method.getModifiers()) && method.getReturnType() == type;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
