package dev.isogrid.api;

import java.util.Map;

/**
 * The context in which a {@link CacheStore} is opened.
 *
 * @param cache the name of the cache
 * @param properties as {@link StoreConfig#properties}
 * @param segments the number of segments of the cache, 1 to 65,536
 * @param classes finds the classes that the store is configured with, such as drivers
 */
public record StoreContext(
    String cache, Map<String, String> properties, int segments, ClassLoader classes) {
  /** Copies the properties. */
  public StoreContext {
    properties = Map.copyOf(properties);
  }

  /** A property, or the given default. */
  public String property(String name, String byDefault) {
    return properties.getOrDefault(name, byDefault);
  }
}
