package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Does the same to a cache and to a map, and compares the answers. */
final class CacheBesideMap {
  private static final int KEYS = 300;

  private CacheBesideMap() {}

  /** Any operation of a map, on any of 300 keys; seldom {@code clear}. */
  static void operate(Cache<String, String> cache, Map<String, String> model, Random random) {
    String key = "key-" + random.nextInt(KEYS);
    String value = "v".repeat(random.nextInt(60)) + random.nextInt();
    switch (random.nextInt(13)) {
      case 0 -> assertEquals(model.remove(key), cache.remove(key));
      case 1 -> assertEquals(model.putIfAbsent(key, value), cache.putIfAbsent(key, value));
      case 2 -> assertEquals(model.replace(key, value), cache.replace(key, value));
      case 3 -> assertEquals(model.containsKey(key), cache.containsKey(key));
      case 4 ->
          assertEquals(
              model.merge(key, value, String::concat), cache.merge(key, value, String::concat));
      case 5 -> assertEquals(model.put(key, value), cache.put(key, value));
      case 6 -> {
        String expected = model.getOrDefault(key, "none");
        assertEquals(model.replace(key, expected, value), cache.replace(key, expected, value));
      }
      case 7 -> {
        Map<String, String> some = new HashMap<>();
        for (int i = 0; i < 20; i++) {
          some.put("key-" + random.nextInt(KEYS), value + i);
        }
        cache.putAll(some);
        model.putAll(some);
      }
      case 8 -> {
        cache.put(key, value, 600, TimeUnit.SECONDS);
        model.put(key, value);
      }
      case 9 -> {
        if (random.nextInt(100) == 0) {
          cache.clear();
          model.clear();
        }
      }
      default -> assertEquals(model.get(key), cache.get(key));
    }
  }
}
