package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.infinispan.client.hotrod.RemoteCounterManagerFactory;
import org.infinispan.client.hotrod.exceptions.TransportException;
import org.infinispan.client.hotrod.multimap.RemoteMultimapCache;
import org.infinispan.client.hotrod.multimap.RemoteMultimapCacheManagerFactory;
import org.infinispan.commons.util.CloseableIterator;
import org.infinispan.counter.api.CounterConfiguration;
import org.infinispan.counter.api.CounterManager;
import org.infinispan.counter.api.CounterType;
import org.infinispan.counter.api.SyncStrongCounter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three servers, one of which ends while the official Hot Rod client uses them. */
@Tag("interop")
class ServerClusterFaultsTest extends ThreeServers {
  /** The most attempts of an iteration, since its client may give up. */
  private static final int ATTEMPTS_MAX = 3;

  private static final int THREADS = 8;

  @Test
  void serverThatStops_isNotNoticed() {
    Map<String, String> entries = putEntries("k");
    servers.remove(0).close();
    assertEquals(entries, cache.getAll(entries.keySet()));
    entries.putAll(putEntries("l"));
    assertEquals(entries, cache.getAll(entries.keySet()));
    assertEquals(2, cache.getCacheTopologyInfo().getSegmentsPerServer().size());
  }

  @Test
  void serverThatIsKilled_takesNothingWithIt() {
    Map<String, String> entries = putEntries("k");
    servers.remove(0).kill();
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      assertEquals(entry.getValue(), cache.get(entry.getKey()));
    }
    entries.putAll(putEntries("l"));
    assertEquals(entries, cache.getAll(entries.keySet()));
  }

  @Test
  void iteration_whileAServerIsKilledAndOneJoins_seesEachEntryOnce() {
    String padding = "x".repeat(3000);
    Map<String, String> entries =
        IntStream.range(0, ENTRIES)
            .boxed()
            .collect(Collectors.toMap(i -> "k" + i, i -> i + padding));
    cache.putAll(entries);
    @Nullable Map<Object, Object> seen = null;
    for (int attempt = 0; seen == null && attempt < ATTEMPTS_MAX; attempt++) {
      seen = seenWhileAServerIsKilledAndOneJoins();
    }
    assertEquals(entries, seen);
  }

  /** Null if the client gave up: it may do so when it connects to a dead server. */
  private @Nullable Map<Object, Object> seenWhileAServerIsKilledAndOneJoins() {
    Map<Object, Object> seen = new HashMap<>();
    boolean hasJoined = false;
    try (CloseableIterator<Map.Entry<Object, Object>> iterator = cache.retrieveEntries(null, 10)) {
      while (iterator.hasNext()) {
        Map.Entry<Object, Object> entry = iterator.next();
        assertNull(seen.put(entry.getKey(), entry.getValue()), () -> "twice: " + entry.getKey());
        if (seen.size() == ENTRIES / 10) {
          servers.remove(1).kill();
        } else if (seen.size() == ENTRIES / 2) {
          Objects.requireNonNull(cluster).startAnother();
          hasJoined = true;
        }
      }
      return seen;
    } catch (TransportException refused) {
      if (!hasJoined) {
        Objects.requireNonNull(cluster).startAnother();
      }
      return null;
    }
  }

  /** Repeats an operation on several threads until the flag is set; returns when all are done. */
  private static void repeatWhileAServerDies(
      Runnable operation, LongAdder done, LongAdder unknown, Runnable kill) {
    AtomicBoolean ends = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < THREADS; thread++) {
        threads.submit(() -> {
          while (!ends.get()) {
            try {
              operation.run();
              done.increment();
            } catch (RuntimeException failure) {
              unknown.increment();
            }
          }
        });
      }
      awaitMore(done, ENTRIES / 4);
      kill.run();
      awaitMore(done, ENTRIES / 4);
      ends.set(true);
    }
  }

  private static void awaitMore(LongAdder done, int count) {
    long enough = done.sum() + count;
    Await.until(count + " more operations", () -> done.sum() >= enough);
  }

  @Test
  void counters_whileAServerIsKilled_countNothingTwiceAndLoseNothing() {
    CounterManager counters = RemoteCounterManagerFactory.asCounterManager(manager);
    assertTrue(
        counters.defineCounter(
            "c", CounterConfiguration.builder(CounterType.UNBOUNDED_STRONG).build()));
    counters.defineCounter("w", CounterConfiguration.builder(CounterType.WEAK).build());
    SyncStrongCounter counter = counters.getStrongCounter("c").sync();
    Set<Long> answers = ConcurrentHashMap.newKeySet();
    LongAdder done = new LongAdder();
    LongAdder unknown = new LongAdder();
    repeatWhileAServerDies(
        () -> {
          long answer = counter.incrementAndGet();
          assertTrue(answers.add(answer), () -> "answered twice: " + answer);
        },
        done,
        unknown,
        () -> servers.remove(1).kill());
    long value = counter.getValue();
    String figures = "done=%s, unknown=%s, value=%d".formatted(done, unknown, value);
    assertTrue(value >= done.sum() && value <= done.sum() + unknown.sum(), figures);
    assertEquals(done.sum(), answers.size(), figures);
    counters.getWeakCounter("w").sync().add(7);
    assertEquals(7, counters.getWeakCounter("w").sync().getValue());
    assertTrue(counters.getCounterNames().containsAll(Set.of("c", "w")));
  }

  @Test
  void multimap_whileAServerIsKilled_keepsWhatWasPut() {
    RemoteMultimapCache<String, String> map =
        RemoteMultimapCacheManagerFactory.<String, String>from(manager).get("default");
    AtomicLong next = new AtomicLong();
    Set<String> put = ConcurrentHashMap.newKeySet();
    Set<String> tried = ConcurrentHashMap.newKeySet();
    LongAdder done = new LongAdder();
    LongAdder unknown = new LongAdder();
    repeatWhileAServerDies(
        () -> {
          long number = next.getAndIncrement();
          String key = "m" + number % 200;
          tried.add(key + "=" + number);
          map.put(key, Long.toString(number)).join();
          put.add(key + "=" + number);
        },
        done,
        unknown,
        () -> servers.remove(1).kill());
    Set<String> found = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      String key = "m" + i;
      map.get(key).join().forEach(value -> assertTrue(found.add(key + "=" + value)));
    }
    String figures = "done=%s, unknown=%s, found=%d".formatted(done, unknown, found.size());
    assertTrue(found.containsAll(put), figures);
    assertTrue(tried.containsAll(found), figures);
    assertEquals(found.size(), map.size().join(), figures);
  }
}
