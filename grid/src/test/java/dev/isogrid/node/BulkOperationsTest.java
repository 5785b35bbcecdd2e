package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.WhenFull;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operations on many keys of a cluster at once. */
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
      first
          .putAllAsync(entries("b"), Expiry.lifespan(1, TimeUnit.HOURS))
          .get(120, TimeUnit.SECONDS);
      assertEquals(entries("b"), last.getAllAsync(asked).get(120, TimeUnit.SECONDS));
      assertEquals(KEYS, last.size());
    }
  }

  /** Entries of a segment of a cache with one segment, all of one value. */
  private static Map<String, String> alike(String value) {
    Map<String, String> entries = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      entries.put("key" + (100 + i), value);
    }
    return entries;
  }

  private static CacheConfig.Builder oneSegment() {
    return EmbeddedNodes.distributed().toBuilder().segments(1);
  }

  @Test
  void putAll_ofOneSegment_isSeenAsOneWrite() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      for (int i = 0; i < 3; i++) {
        nodes.node(i).cache("c", oneSegment().build());
      }
      Cache<String, String> writer = nodes.node(0).cache("c");
      writer.putAll(alike("0"));
      AtomicBoolean isEnded = new AtomicBoolean();
      List<CompletableFuture<Integer>> readings =
          IntStream.range(0, 3)
              .mapToObj(i -> nodes.node(i).<String, String>cache("c"))
              .map(cache -> CompletableFuture.supplyAsync(() -> readUntil(isEnded, cache)))
              .toList();
      for (int i = 1; i <= 300; i++) {
        writer.putAll(alike("" + i));
      }
      isEnded.set(true);
      for (CompletableFuture<Integer> reading : readings) {
        assertTrue(reading.get(120, TimeUnit.SECONDS) > 0);
      }
    }
  }

  /** Reads the first key and then the last: who sees a write of the first sees it of the last. */
  private static int readUntil(AtomicBoolean isEnded, Cache<String, String> cache) {
    int reads = 0;
    do {
      int first = Integer.parseInt(requireNonNull(cache.get("key100")));
      int last = Integer.parseInt(requireNonNull(cache.get("key119")));
      assertTrue(last >= first, () -> "one has " + first + ", another one " + last);
      reads++;
    } while (!isEnded.get());
    return reads;
  }

  @Test
  void putAll_ofOneSegmentThatIsFull_isNotDone() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      CacheConfig bounded = oneSegment().maxCount(25).whenFull(WhenFull.EXCEPTION).build();
      Cache<String, String> one = nodes.node(0).cache("c", bounded);
      Cache<String, String> other = nodes.node(1).cache("c", bounded);
      one.putAll(alike("a"));
      Map<String, String> more = alike("b");
      for (int i = 0; i < 6; i++) {
        more.put("more" + i, "b");
      }
      for (Cache<String, String> cache : List.of(one, other)) {
        CacheFullException full = assertThrows(CacheFullException.class, () -> cache.putAll(more));
        String message = String.valueOf(full.getMessage());
        assertTrue(message.contains("max-count=25"), message);
        assertTrue(message.contains("0 were done, 26 were not"), message);
        assertEquals(alike("a"), cache.getAll(more.keySet()));
      }
      more.remove("more5");
      other.putAll(more);
      assertEquals(more, one.getAll(more.keySet()));
    }
  }

  @Test
  void putAll_isAnEventForEachKey_onANodeThatHasNoneOfThem() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      String large = "x".repeat(1 << 16); // together more than a history keeps of several writes
      List<Set<String>> heard = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Cache<String, String> cache = nodes.node(i).cache("c", oneSegment().build());
        Set<String> keys = ConcurrentHashMap.newKeySet();
        heard.add(keys);
        cache.addListener(event -> keys.add(event.key() + event.value()));
      }
      nodes.node(0).<String, String>cache("c").putAll(alike(large));
      Await.until("events", () -> heard.stream().allMatch(k -> k.size() == 20));
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
      // A caller that waits for each operation finds all of them done.
      boolean isWaited = Arrays.stream(all).allMatch(CompletableFuture::isDone);
      assertTrue(!isWaited || tookMillis < 1000, () -> "waited for the cluster: " + tookMillis);
      CompletableFuture.allOf(all).get(120, TimeUnit.SECONDS);
      Await.until("entries", () -> cache.size() == all.length);
    }
  }
}
