package dev.isogrid.bench.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A map that keeps references to the objects: {@code String} keys and {@code byte[]} values, new
 * objects for each entry, as in an application.
 */
final class ReferenceMap implements Library {
  private final Map<String, byte[]> map;

  /** Measures a map, empty at first. */
  ReferenceMap(Map<String, byte[]> map) {
    this.map = map;
  }

  /** The JDK's map. */
  static ReferenceMap concurrentHashMap() {
    return new ReferenceMap(new ConcurrentHashMap<>());
  }

  /** Caffeine with a bound of this many entries, which determines the size of its tables. */
  static ReferenceMap caffeine(int count) {
    return new ReferenceMap(
        Caffeine.newBuilder().maximumSize(count).<String, byte[]>build().asMap());
  }

  @Override
  public void put(byte[] key, byte[] value) {
    map.put(new String(key, ISO_8859_1), value.clone());
  }

  @Override
  public long count() {
    return map.size();
  }
}
