package dev.isogrid.jcache;

/** The one answer of all {@code unwrap} methods. */
final class Unwrapping {
  private Unwrapping() {}

  static <T> T cast(Object object, Class<T> type) {
    if (type.isInstance(object)) {
      return type.cast(object);
    }
    throw new IllegalArgumentException(
        "cannot unwrap: class=" + object.getClass().getName() + ", asked=" + type.getName());
  }
}
