package dev.isogrid.jcache;

import java.util.Objects;
import javax.cache.configuration.Configuration;

/** Checks keys and values at run time, where the configuration names types. */
record Types(Class<?> key, Class<?> value) {
  Types(Configuration<?, ?> configuration) {
    this(configuration.getKeyType(), configuration.getValueType());
  }

  /** Refuses null, and a key that is not of the type. */
  void checkKey(Object given) {
    Objects.requireNonNull(given, "key");
    check("key", key, given);
  }

  /** Refuses null, and a value that is not of the type. */
  void checkValue(Object given) {
    Objects.requireNonNull(given, "value");
    check("value", value, given);
  }

  private static void check(String what, Class<?> type, Object given) {
    if (!type.isInstance(given)) {
      throw new ClassCastException(
          what
              + " of another type: type="
              + given.getClass().getName()
              + ", cache="
              + type.getName());
    }
  }

  /** Refuses types that are not those of the cache. */
  void checkAsked(String cache, Class<?> askedKey, Class<?> askedValue) {
    if (!key.equals(askedKey) || !value.equals(askedValue)) {
      throw new ClassCastException(
          "cache of other types: cache=%s, key=%s, value=%s, asked key=%s, asked value=%s"
              .formatted(
                  cache, key.getName(), value.getName(), askedKey.getName(), askedValue.getName()));
    }
  }
}
