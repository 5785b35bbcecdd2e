package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.WhenFull;
import dev.isogrid.base.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations on many keys of a cluster at once. */
@Timeout(60)
class BulkOperationsTest {
  private static final int KEYS = 1000;

  private static Map<String, String> entries(String value) {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      entries.put("key" + i, value + i);
    }
    return entries;
  }

  @Test
  void putAllAndGetAll_onOtherNodes_storeAndFindAll() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Cache<String, String> first = nodes.node(0).cache("c", EmbeddedNodes.distributed());
      Cache<String, String> last = nodes.node(2).cache("c", EmbeddedNodes.distributed());
      Map<String, String> entries = entries("a");
      first.putAll(entries);
      Set<String> asked = new HashSet<>(entries.keySet());
      asked.add("none");
      assertEquals(entries, last.getAll(asked));
      first.putAllAsync(entries("b"), Expiry.lifespan(1, TimeUnit.HOURS)).get(10, TimeUnit.SECONDS);
      assertEquals(entries("b"), last.getAllAsync(asked).get(10, TimeUnit.SECONDS));
      assertEquals(KEYS, last.size());
    }
  }

  @Test
  void putAll_whileANodeDies_isDoneOrFails_andNothingAcknowledgedIsLost() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Cache<String, String> first = nodes.node(0).cache("c", EmbeddedNodes.distributed());
      Cache<String, String> second = nodes.node(1).cache("c", EmbeddedNodes.distributed());
      first.putAll(entries("a"));
      CompletableFuture<?> storing = first.putAllAsync(entries("b"));
      nodes.node(2).close();
      storing.get(30, TimeUnit.SECONDS);
      assertEquals(entries("b"), second.getAll(entries("b").keySet()));
    }
  }

  @Test
  void putAll_intoAFullCache_saysWhatWasDone() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      Cache<String, String> cache =
          nodes
              .node(0)
              .cache(
                  "c",
                  EmbeddedNodes.distributed().toBuilder()
                      .maxCount(100)
                      .whenFull(WhenFull.EXCEPTION)
                      .build());
      CacheFullException full =
          assertThrows(CacheFullException.class, () -> cache.putAll(entries("a")));
      String message = String.valueOf(full.getMessage());
      assertTrue(message.contains(" were done, "), message);
      assertTrue(message.contains("segments=["), message);
      assertTrue(cache.size() < KEYS);
    }
  }

  @Test
  void asyncOperation_thatMayWait_doesNotBlockItsCaller() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Cache<String, String> cache = nodes.node(0).cache("c", EmbeddedNodes.distributed());
      nodes.node(2).close(); // the others are a majority, which goes on in any case
      CompletableFuture<?>[] all = new CompletableFuture<?>[100];
      long begin = System.nanoTime();
      for (int i = 0; i < all.length; i++) {
        all[i] = cache.putAsync("key" + i, "value");
      }
      long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertTrue(tookMillis < 1000, () -> "waited for the cluster: " + tookMillis);
      CompletableFuture.allOf(all).get(30, TimeUnit.SECONDS);
      Await.until("entries", Duration.ofSeconds(5), () -> cache.size() == all.length);
    }
  }
}
