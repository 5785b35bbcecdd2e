package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.EntryBytes;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.NodeFailureNote;
import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.node.Node;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Streams over caches whose entries are on several nodes, in one process over TCP. */
class ClusterStreamTest {
  /** The traces of functions that ran on other nodes; all nodes are in this process. */
  private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  private static final AtomicInteger BEGUN = new AtomicInteger();
  private static final AtomicInteger INTERRUPTED = new AtomicInteger();
  private static final CountDownLatch FOREVER = new CountDownLatch(1);

  private final List<Grid> grids = new ArrayList<>();
  private long leaveTimeoutMillis;

  @AfterEach
  void close() throws InterruptedException {
    List<Thread> closing =
        grids.stream().map(grid -> Thread.ofVirtual().start(grid::close)).toList();
    for (Thread each : closing) {
      each.join();
    }
  }

  private Grid[] start(List<SeedAddress> addresses, int count) throws InterruptedException {
    Grid[] started = new Grid[count];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = i;
      threads.add(Thread.ofVirtual().start(() -> started[index] = start(addresses, "n", index)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    grids.addAll(List.of(started));
    return started;
  }

  private Grid start(List<SeedAddress> addresses, String name, int index) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(addresses.get(index).port())
            .seeds(addresses.stream().limit(3).map(SeedAddress::toString).toList())
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(leaveTimeoutMillis, TimeUnit.MILLISECONDS)
            .build();
    return Grid.start(GridConfig.builder().nodeName(name + index).cluster(cluster).build());
  }

  private static CacheConfig distributed(int segments) {
    return CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(segments).build();
  }

  @Test
  void randomStreams_giveWhatThoseOfTheJdkGive() throws Exception {
    Grid[] nodes = start(RealNetwork.freeAddresses(3), 3);
    Cache<String, Integer> cache = nodes[0].cache("c", distributed(16));
    Seeds.run(
        2,
        random -> {
          cache.clear();
          Map<String, Integer> model = StreamModel.fill(cache, 300, random);
          for (Grid node : nodes) {
            StreamModel streams = new StreamModel(node.cache("c"), model, random);
            for (int i = 0; i < 60; i++) {
              streams.step();
            }
            streams.checkParts();
            Cache<String, Integer> near = node.cache("c");
            assertEquals(
                model.values().stream().mapToLong(each -> each).sum(),
                near.entryBytes().mapToLong(EntryBytes::valueAsLong).sum());
            assertEquals(model.size(), near.entryBytes().map(EntryBytes::version).toList().size());
          }
        });
  }

  @Test
  void functions_thatFailOrCannotBeSent_sayWhy() throws Exception {
    Grid[] nodes = start(RealNetwork.freeAddresses(3), 3);
    Cache<String, Integer> cache = nodes[0].cache("c", distributed(16));
    IntStream.range(0, 100).forEach(i -> cache.put("k" + i, i));
    ArithmeticException thrown =
        assertThrows(
            ArithmeticException.class,
            () -> cache.values().stream().map(each -> 1 / (each / 1000)).count());
    NodeFailureNote note = assertInstanceOf(NodeFailureNote.class, thrown.getSuppressed()[0]);
    Set<String> names =
        Arrays.stream(nodes).map(Grid::nodeName).collect(Collectors.toUnmodifiableSet());
    assertTrue(names.contains(note.node()), note.toString());
    assertTrue(String.valueOf(note.getMessage()).contains(", cache=c, segment="), note.toString());
    Object notSerializable = new Object();
    InvalidRequestException refused =
        assertThrows(
            InvalidRequestException.class,
            () -> cache.values().stream().filter(each -> !notSerializable.equals(each)).count());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("not serialisable=java.lang.Object"), message);
    assertTrue(message.contains("the stream's FILTER"), message);
    assertThrows(
        InvalidRequestException.class,
        () -> cache.values().stream().map(_ -> new Object()).toList());
  }

  @Test
  void objectsOfTheJdk_thatHoldFunctions_areToBeWrapped() throws Exception {
    Grid[] nodes = start(RealNetwork.freeAddresses(3), 3);
    Cache<String, String> cache = nodes[0].cache("c", distributed(16));
    IntStream.range(0, 100).forEach(i -> cache.put("k" + i, "v" + i));
    Comparator<String> byLength = Comparator.comparingInt(String::length);
    assertRefused("wrap the comparator", () -> cache.values().stream().max(byLength));
    assertTrue(
        cache.values().stream().max((a, b) -> Integer.compare(a.length(), b.length())).isPresent());
    Collector<String, ?, Map<Integer, Long>> groups =
        Collectors.groupingBy(String::length, Collectors.counting());
    assertRefused("wrap the collector", () -> cache.values().stream().collect(groups));
    assertEquals(
        Map.of(2, 10L, 3, 90L),
        cache.values().stream()
            .collect(() -> Collectors.groupingBy(String::length, Collectors.counting())));
  }

  private static void assertRefused(String remedy, Executable stream) {
    String message =
        String.valueOf(assertThrows(InvalidRequestException.class, stream).getMessage());
    assertTrue(message.contains(remedy), message);
  }

  @Test
  void forEach_withCache_runsWhereTheEntriesAre() throws Exception {
    Grid[] nodes = start(RealNetwork.freeAddresses(3), 3);
    Cache<String, Integer> cache = nodes[0].cache("c", distributed(16));
    IntStream.range(0, 100).forEach(i -> cache.put("k" + i, i));
    cache.keySet().stream()
        .forEach((Cache<String, Integer> near, String key) -> near.merge(key, 1000, Integer::sum));
    assertEquals(IntStream.range(1000, 1100).sum(), cache.values().stream().mapToInt(i -> i).sum());
    SEEN.clear();
    cache.keySet().stream().forEach(_ -> SEEN.add(Thread.currentThread().getName()));
    assertTrue(SEEN.stream().allMatch(each -> each.startsWith("isogrid-stream-")), SEEN.toString());
    cache.keySet().stream().filterKeys(Set.of("k1", "k2", "no")).forEach((c, k) -> c.remove(k));
    assertEquals(98, cache.size());
    assertFalse(cache.containsKey("k1"));
  }

  @Test
  void iterator_thatIsClosed_endsTheWorkOfAllNodes() throws Exception {
    Grid[] nodes = start(RealNetwork.freeAddresses(3), 3);
    Cache<String, Integer> cache = nodes[0].cache("c", distributed(16));
    IntStream.range(0, 100).forEach(i -> cache.put("k" + i, i));
    BEGUN.set(0);
    INTERRUPTED.set(0);
    try (CacheStream<Integer> stream =
        cache.values().stream().filter(each -> each != 99 || waitsForever())) {
      assertTrue(stream.iterator().hasNext());
      Await.until("begin of the work", () -> BEGUN.get() > 0);
    }
    Await.until("cancellation", () -> INTERRUPTED.get() > 0);
  }

  private static boolean waitsForever() {
    BEGUN.incrementAndGet();
    try {
      FOREVER.await();
      return false;
    } catch (InterruptedException e) {
      INTERRUPTED.incrementAndGet();
      return false;
    }
  }

  @Test
  void iteration_whileNodesComeLeaveAndDie_seesEachEntryOnce() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(5);
    Grid[] nodes = start(addresses, 3);
    Cache<String, String> cache = nodes[0].cache("c", distributed(8));
    int count = 6000;
    String padding = "x".repeat(100);
    IntStream.range(0, count).parallel().forEach(i -> cache.put("k" + i, "v" + i + padding));
    Set<String> seen = new HashSet<>();
    Map<Integer, Thread> changes = new HashMap<>();
    changes.put(300, Thread.ofVirtual().unstarted(() -> grids.add(start(addresses, "j", 3))));
    changes.put(1500, Thread.ofVirtual().unstarted(nodes[2]::close));
    changes.put(3500, Thread.ofVirtual().unstarted(() -> grids.add(start(addresses, "j", 4))));
    try (CacheStream<Map.Entry<String, String>> stream =
        cache.entrySet().stream().distributedBatchSize(50)) {
      Iterator<Map.Entry<String, String>> entries = stream.iterator();
      Iterator<String> keys = cache.keySet().iterator();
      Set<String> seenKeys = new HashSet<>();
      while (entries.hasNext()) {
        String next = keys.next();
        assertTrue(seenKeys.add(next), () -> "twice: " + next);
        Map.Entry<String, String> entry = entries.next();
        assertTrue(seen.add(entry.getKey()), () -> "twice: " + entry.getKey());
        assertEquals("v" + entry.getKey().substring(1) + padding, entry.getValue());
        Thread change = changes.get(seen.size());
        if (change != null) {
          change.start();
          change.join();
          assertEquals(count, cache.size());
        }
      }
      assertFalse(keys.hasNext());
    }
    assertEquals(count, seen.size());
    assertEquals(count, cache.keySet().parallelStream().filter(each -> !each.isEmpty()).count());
  }

  @Test
  void size_countsLiveEntriesOfAllNodes() throws Exception {
    Grid[] nodes = start(RealNetwork.freeAddresses(3), 3);
    Cache<String, Integer> cache = nodes[0].cache("c", distributed(16));
    assertTrue(cache.isEmpty());
    IntStream.range(0, 200).forEach(i -> cache.put("k" + i, i));
    IntStream.range(0, 100)
        .forEach(i -> cache.put("long" + i, i, Expiry.lifespan(1, TimeUnit.HOURS)));
    IntStream.range(0, 50)
        .forEach(i -> cache.put("soon" + i, i, Expiry.lifespan(1, TimeUnit.MILLISECONDS)));
    for (Grid node : nodes) {
      Cache<String, Integer> near = node.cache("c");
      Await.until("expired ones are not counted", () -> near.size() == 300);
      assertFalse(near.isEmpty());
      assertEquals(300, near.keySet().stream().count());
    }
    cache.clear();
    assertEquals(0, cache.size());
  }

  @Test
  void walk_showsAllOfAnEntry() throws Exception {
    Grid[] nodes = start(RealNetwork.freeAddresses(2), 2);
    Cache<String, String> cache = nodes[0].cache("c", distributed(4));
    String large = "x".repeat(3 << 20);
    cache.put("large", large);
    IntStream.range(0, 20)
        .forEach(i ->
            cache.put(
                "k" + i,
                "y".repeat(i * 10_000),
                Expiry.lifespan(1, TimeUnit.HOURS).withMaxIdle(2, TimeUnit.HOURS)));
    Map<String, CacheEntry<String, String>> expected = new HashMap<>();
    cache.keySet().forEach(key -> expected.put(key, Objects.requireNonNull(cache.getEntry(key))));
    assertEquals(21, expected.size());
    CacheEngine<BinaryKey, Bytes> engine = Objects.requireNonNull(((Node) nodes[1]).engine("c"));
    EntryView<BinaryKey, Bytes> view = engine.newView();
    BitSet finished = new BitSet();
    int count = 0;
    try (EntryWalk<BinaryKey, Bytes> walk = engine.walk()) {
      while (walk.next(view)) {
        count++;
        String key = (String) ScalarMarshaller.INSTANCE.fromBytes(view.key().toByteArray());
        CacheEntry<String, String> entry = Objects.requireNonNull(expected.get(key));
        assertEquals(
            entry.value(), ScalarMarshaller.INSTANCE.fromBytes(view.value().toByteArray()));
        assertEquals(entry.version(), view.version());
        assertEquals(entry.lifespanMillis(), view.lifespanMillis());
        assertEquals(entry.maxIdleMillis(), view.maxIdleMillis());
        assertEquals(entry.createdMillis(), view.createdMillis());
        assertFalse(finished.get(engine.segmentOf(view.key().hash())), key);
        finished.or(walk.takeFinished());
      }
      finished.or(walk.takeFinished());
    }
    assertEquals(21, count);
    assertEquals(4, finished.cardinality());
  }
}
