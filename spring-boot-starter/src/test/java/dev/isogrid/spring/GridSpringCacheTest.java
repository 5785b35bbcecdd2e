package dev.isogrid.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StorageType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.cache.interceptor.SimpleKeyGenerator;

class GridSpringCacheTest {
  private static Object key(Object... arguments) {
    return SimpleKeyGenerator.generateKey(arguments);
  }

  @Test
  void listOfArguments_andOneListAsArgument_areDifferentKeys() {
    CacheConfig bytes = CacheConfig.builder().storage(StorageType.HEAP_BINARY).build();
    try (Grid grid = Grid.start()) {
      Cache<Object, Object> kept = grid.cache("c", bytes);
      GridSpringCache cache = new GridSpringCache("c", kept, Expiry.DEFAULT);
      cache.put(key("a", "b"), "two");
      assertNull(cache.get(key(List.of("a", "b"))));
      cache.put(key(List.of("a", "b")), "one list");
      assertEquals("two", assertNotNullValue(cache, key("a", "b")));
      assertEquals("one list", assertNotNullValue(cache, key(List.of("a", "b"))));
      cache.put(key(), "none");
      assertNull(cache.get(key(List.of())));
    }
  }

  private static Object assertNotNullValue(GridSpringCache cache, Object key) {
    Object value = cache.get(key, Object.class);
    assertNotNull(value);
    return value;
  }
}
