package dev.isogrid.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StorageType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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

  @Test
  void retrieve_byCallersAtTheSameTime_loadsOnce() {
    try (Grid grid = Grid.start()) {
      GridSpringCache cache = new GridSpringCache("c", grid.cache("c"), Expiry.DEFAULT);
      AtomicInteger loads = new AtomicInteger();
      CompletableFuture<String> answer = new CompletableFuture<>();
      Supplier<CompletableFuture<String>> loader =
          () -> {
            loads.incrementAndGet();
            return answer;
          };
      CompletableFuture<String> first = cache.retrieve("k", loader);
      CompletableFuture<String> second = cache.retrieve("k", loader);
      answer.complete("v");

      assertEquals("v", first.join());
      assertEquals("v", second.join());
      assertEquals("v", cache.retrieve("k", loader).join());
      assertEquals(1, loads.get());
      cache.evict("k");
      assertEquals("v", cache.retrieve("k", loader).join());
      assertEquals(2, loads.get());
    }
  }

  @Test
  void retrieve_afterALoaderThatFailed_loadsAgain() {
    try (Grid grid = Grid.start()) {
      GridSpringCache cache = new GridSpringCache("c", grid.cache("c"), Expiry.DEFAULT);
      CompletableFuture<String> failed =
          cache.retrieve(
              "k", () -> CompletableFuture.failedFuture(new IllegalStateException("down")));

      CompletionException failure = assertThrows(CompletionException.class, failed::join);
      assertTrue(failure.getCause() instanceof IllegalStateException, failure::toString);
      assertEquals("v", cache.retrieve("k", () -> CompletableFuture.completedFuture("v")).join());
    }
  }

  private static Object assertNotNullValue(GridSpringCache cache, Object key) {
    Object value = cache.get(key, Object.class);
    assertNotNull(value);
    return value;
  }
}
