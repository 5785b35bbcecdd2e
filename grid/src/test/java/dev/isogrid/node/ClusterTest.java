package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.DistributedSemaphore;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.FencedLock;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MultimapCache;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenGone;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.Change;
import dev.isogrid.engine.ChangeListener;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Embedded nodes that share caches over TCP. */
class ClusterTest {
  private static final int KEYS = 300;

  private final List<Grid> grids = new ArrayList<>();

  /** 0 for nodes that end without handing anything over. */
  private long leaveTimeoutMillis = 10_000;

  private WhenGone whenGone = WhenGone.OF_TWO;

  @AfterEach
  void close() throws InterruptedException {
    List<Thread> closing =
        grids.stream().map(grid -> Thread.ofVirtual().start(grid::close)).toList();
    for (Thread each : closing) {
      each.join();
    }
  }

  private List<Grid> start(int count) throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(count);
    List<String> seeds = addresses.stream().map(SeedAddress::toString).toList();
    List<Thread> threads = new ArrayList<>();
    Grid[] started = new Grid[count];
    for (int i = 0; i < count; i++) {
      int index = i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> started[index] = start("n" + index, addresses.get(index), seeds)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    List<Grid> all = List.of(started);
    grids.addAll(all);
    return all;
  }

  private Grid start(String name, SeedAddress at, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(at.port())
            .seeds(seeds)
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(leaveTimeoutMillis, TimeUnit.MILLISECONDS)
            .whenGone(whenGone)
            .build();
    return Grid.start(GridConfig.builder().nodeName(name).cluster(cluster).build());
  }

  private static CacheConfig distributed() {
    return CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(32).build();
  }

  @Test
  void operations_onAnyNode_seeTheSameCache() throws Exception {
    List<Grid> nodes = start(3);
    List<Cache<String, String>> caches = new ArrayList<>();
    for (Grid node : nodes) {
      caches.add(node.cache("c", distributed()));
    }
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + i;
      assertNull(caches.get(i % 3).put(key, "a" + i));
      assertEquals("a" + i, caches.get((i + 1) % 3).put(key, "b" + i));
      assertEquals("b" + i, caches.get((i + 2) % 3).get(key));
      expected.put(key, "b" + i);
    }
    Cache<String, String> first = caches.getFirst();
    Cache<String, String> last = caches.getLast();
    assertEquals(KEYS, last.size());
    assertEquals(expected, new HashMap<>(last));
    assertEquals("b7", first.putIfAbsent("key7", "x"));
    assertFalse(first.remove("key7", "y"));
    assertTrue(last.remove("key7", "b7"));
    assertNull(first.get("key7"));
    assertEquals("c", last.compute("key7", (_, old) -> old == null ? "c" : "d"));
    assertEquals("d", first.compute("key7", (_, old) -> old == null ? "c" : "d"));
    CacheEntry<String, String> entry = last.getEntry("key8");
    assertNotNull(entry);
    assertTrue(first.replaceIfVersion("key8", "v", entry.version()));
    assertFalse(last.replaceIfVersion("key8", "w", entry.version()));
    first.clear();
    assertEquals(0, last.size());
    assertTrue(nodes.getFirst().removeCache("c"));
    Await.until("removal", () -> nodes.getLast().findCache("c") == null);
  }

  @Test
  void removal_isToldToTheListenersOfAllNodes() throws Exception {
    List<Grid> nodes = start(2);
    Map<String, CacheMode> modes =
        Map.of(
            "shared", CacheMode.DIST_SYNC,
            "invalidating", CacheMode.INVALIDATION_SYNC,
            "local", CacheMode.LOCAL);
    Set<String> ended = ConcurrentHashMap.newKeySet();
    modes.forEach((name, mode) -> {
      CacheConfig config =
          CacheConfig.builder().mode(mode).storage(StorageType.HEAP_BINARY).segments(4).build();
      nodes.getFirst().cache(name, config);
      for (Grid node : nodes) {
        Await.until("the cache", () -> node.findCache(name) != null);
        String place = name + " " + nodes.indexOf(node);
        CacheEngine<BinaryKey, Bytes> engine = requireNonNull(((Node) node).engine(name));
        engine.addListener(new EndListener(() -> ended.add(place)));
      }
      assertTrue(nodes.getFirst().removeCache(name));
    });
    Await.until("the ends", () -> ended.size() == 6);
  }

  /** Hears of the end of a cache. */
  private record EndListener(Runnable ended) implements ChangeListener<BinaryKey, Bytes> {
    @Override
    public void onChange(Change<BinaryKey, Bytes> change) {}

    @Override
    public void afterChange(int segment) {}

    @Override
    public void onClosed() {
      ended.run();
    }
  }

  @Test
  void nodeWithoutAMajority_leavesWithoutWaiting() throws Exception {
    leaveTimeoutMillis = 600_000;
    whenGone = WhenGone.IGNORED; // so the younger of two never goes on alone
    List<Grid> nodes = start(2);
    NodeId voter = requireNonNull(((Node) nodes.getFirst()).topology()).voters().getFirst();
    int older = ((Node) nodes.getFirst()).calls().self().equals(voter) ? 0 : 1;
    Node left = (Node) nodes.get(1 - older);
    requireNonNull(((Node) nodes.get(older)).transport()).close();
    Await.until("no majority", () -> !left.hasMajority());
    Thread leaving = Thread.ofVirtual().start(left::close);
    Await.until("the end of the node", () -> !leaving.isAlive());
  }

  @Test
  void nodesThatAllLeave_waitForNobody() throws Exception {
    leaveTimeoutMillis = 600_000;
    List<Thread> leaving = new ArrayList<>();
    for (Grid node : start(3)) {
      node.cache("c", distributed()).put("key", "value");
      leaving.add(Thread.ofVirtual().unstarted(node::close));
    }
    leaving.forEach(Thread::start);
    for (Thread each : leaving) {
      each.join();
    }
  }

  @Test
  void write_ofNodeThatIsAlone_needsNoOther() throws Exception {
    Node node = (Node) start(1).getFirst();
    Cache<String, String> cache = node.cache("c", distributed());
    cache.put("key", "value");
    CacheEngine<?, ?> engine = requireNonNull(node.engine("c"));
    Await.until("its own", () -> !engine.mayWait(0, false));
    long version = requireNonNull(cache.getEntry("key")).version();
    cache.put("key", "other");
    assertTrue(requireNonNull(cache.getEntry("key")).version() > version);
  }

  private static long copied(Node node) {
    return requireNonNull(node.topology()).segments().stream()
        .filter(segment -> segment.isr().size() == 2)
        .count();
  }

  @Test
  void entryTooLargeForAMessage_ofNodeThatWasAlone_isCopiedInParts() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    List<String> seeds = List.of(addresses.getFirst().toString());
    Node node = (Node) start("n0", addresses.getFirst(), seeds);
    grids.add(node);
    Cache<String, byte[]> cache = node.cache("c", distributed());
    CacheEngine<?, ?> engine = requireNonNull(node.engine("c"));
    Await.until(
        "its own",
        () -> IntStream.range(0, 32).noneMatch(segment -> engine.mayWait(segment << 26, false)));
    byte[] large = new byte[50 << 20];
    new Random(1).nextBytes(large);
    cache.put("large", large);
    for (int i = 0; i < KEYS; i++) {
      cache.put("key" + i, new byte[] {1});
    }
    Grid second = start("n1", addresses.getLast(), seeds);
    grids.add(second);
    Cache<String, byte[]> other = second.cache("c", distributed());
    Await.until("all copies", () -> copied(node) == 32);

    assertThrows(InvalidRequestException.class, () -> other.put("another", large));
    assertEquals(KEYS + 1, other.size());
    node.close();
    assertArrayEquals(large, other.get("large"));
    other.putAll(Map.of("large", new byte[] {2}));
    assertArrayEquals(new byte[] {2}, other.get("large"));
  }

  @Test
  void internalCache_isOnAllNodes_andInNoList() throws Exception {
    List<Grid> nodes = start(3);
    List<CacheEngine<BinaryKey, Bytes>> engines = new ArrayList<>();
    for (Grid node : nodes) {
      engines.add(((Node) node).internalCache("___x"));
      assertEquals(Set.of(), node.cacheNames());
    }
    BinaryKey key = BinaryKey.of(new byte[] {1});
    byte[] value = {2, 3};
    engines.get(1).write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(value)));
    for (CacheEngine<BinaryKey, Bytes> engine : engines) {
      assertEquals(CacheMode.REPL_SYNC, engine.config().mode());
      assertArrayEquals(value, engine.readBytes(key, key.hash()));
    }
  }

  /** Has each node do something again and again while the last one ends without a word. */
  private static void repeatWhileANodeDies(
      List<Grid> nodes, Consumer<Grid> operation, LongAdder done, LongAdder unknown)
      throws Exception {
    LongAdder refused = new LongAdder();
    AtomicBoolean ends = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (Grid node : nodes) {
      for (int i = 0; i < 3; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  while (!ends.get()) {
                    try {
                      operation.accept(node);
                      done.increment();
                    } catch (IndeterminateGridException failure) {
                      unknown.increment();
                    } catch (FatalGridException end) {
                      unknown.increment();
                      return;
                    } catch (RetryableGridException notDone) {
                      refused.increment();
                    }
                  }
                }));
      }
    }
    Await.until("operations", () -> done.sum() > 500);
    nodes.getLast().close();
    long sum = done.sum();
    Await.until("operations", () -> done.sum() > sum + 500);
    ends.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void counter_whileANodeDies_countsNothingTwiceAndLosesNothing() throws Exception {
    leaveTimeoutMillis = 0;
    List<Grid> nodes = start(3);
    assertTrue(nodes.getFirst().counters().define("c", CounterConfig.strong(0)));
    assertFalse(nodes.getLast().counters().define("c", CounterConfig.strong(0)));
    Set<Long> answers = ConcurrentHashMap.newKeySet();
    LongAdder done = new LongAdder();
    LongAdder unknown = new LongAdder();
    repeatWhileANodeDies(
        nodes,
        node -> {
          long answer = node.counters().strong("c").incrementAndGet();
          assertTrue(answers.add(answer), () -> "answered twice: " + answer);
        },
        done,
        unknown);
    long value = nodes.getFirst().counters().strong("c").value();
    String figures = "done=%s, unknown=%s, value=%d".formatted(done, unknown, value);
    assertTrue(value >= done.sum() && value <= done.sum() + unknown.sum(), figures);
    assertEquals(done.sum(), answers.size(), figures);
    assertEquals(Set.of("c"), nodes.get(1).counters().names());
  }

  @Test
  void counterListener_onOneNode_hearsOfAllNodesInOrder() throws Exception {
    List<Grid> nodes = start(3);
    nodes.getFirst().counters().define("c", CounterConfig.strong(0));
    List<Long> heard = new CopyOnWriteArrayList<>();
    nodes.get(1).counters().strong("c").addListener(event -> heard.add(event.newValue()));
    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < 30; i++) {
      assertEquals(i + 1, nodes.get((int) i % 3).counters().strong("c").incrementAndGet());
      expected.add(i + 1);
    }
    Await.until("events", () -> heard.size() == 30);
    assertEquals(expected, heard);
  }

  @Test
  void locks_ofANodeThatDies_areFreeSomeTimeLater() throws Exception {
    leaveTimeoutMillis = 0;
    List<Grid> nodes = start(3);
    FencedLock first = nodes.getFirst().locks().lock("x");
    FencedLock last = nodes.getLast().locks().lock("x");
    assertEquals(1, last.lock());
    nodes.getLast().locks().semaphore("s", 3).acquire(2);
    assertEquals(0, first.tryLock());
    DistributedSemaphore semaphore = nodes.getFirst().locks().semaphore("s", 3);
    assertEquals(1, semaphore.availablePermits());
    assertTrue(last.isLockedByMe());
    nodes.getLast().close();
    assertEquals(2, first.tryLock(60, TimeUnit.SECONDS));
    assertTrue(semaphore.tryAcquire(3, 120, TimeUnit.SECONDS));
    assertEquals(0, nodes.get(1).locks().lock("x").tryLock());
  }

  @Test
  void lock_ofThreadsOnAllNodes_isOneThreadsAtATime() throws Exception {
    List<Grid> nodes = start(3);
    AtomicInteger inside = new AtomicInteger();
    List<Long> fences = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Grid node : nodes) {
      for (int i = 0; i < 2; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  FencedLock lock = node.locks().lock("x");
                  for (int round = 0; round < 10; round++) {
                    long fence = lock.lock();
                    fences.add(inside.incrementAndGet() == 1 ? fence : -1);
                    inside.decrementAndGet();
                    lock.unlock();
                  }
                }));
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(LongStream.rangeClosed(1, 60).boxed().toList(), fences);
  }

  @Test
  void sequence_ofAllNodes_givesEachNumberOnce() throws Exception {
    List<Grid> nodes = start(3);
    Set<Long> numbers = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      assertTrue(numbers.add(nodes.get(i % 3).locks().sequence("x", 7).next()));
    }
  }

  @Test
  void multimap_whileANodeDies_keepsWhatWasPut() throws Exception {
    leaveTimeoutMillis = 0;
    List<Grid> nodes = start(3);
    nodes.getFirst().multimap("m", distributed(), true);
    AtomicInteger next = new AtomicInteger();
    Set<Integer> put = ConcurrentHashMap.newKeySet();
    LongAdder done = new LongAdder();
    LongAdder unknown = new LongAdder();
    repeatWhileANodeDies(
        nodes,
        node -> {
          int number = next.getAndIncrement();
          MultimapCache<Integer, Integer> map = node.multimap("m", distributed(), true);
          map.put(number % 20, number);
          put.add(number);
        },
        done,
        unknown);
    MultimapCache<Integer, Integer> map = nodes.getFirst().multimap("m", distributed(), true);
    Set<Integer> found = new HashSet<>();
    for (int key = 0; key < 20; key++) {
      map.get(key).forEach(value -> assertTrue(found.add(value), () -> "twice: " + value));
    }
    String figures = "done=%s, unknown=%s, found=%d".formatted(done, unknown, found.size());
    assertTrue(found.containsAll(put), figures);
    assertTrue(found.size() <= done.sum() + unknown.sum(), figures);
    assertEquals(found.size(), map.size(), figures);
  }

  @Test
  void nodes_comeAndGo_andNothingIsLost() throws Exception {
    List<Grid> nodes = start(3);
    Cache<String, String> cache = nodes.getFirst().cache("c", distributed());
    for (int i = 0; i < KEYS; i++) {
      cache.put("key" + i, "value" + i);
    }
    nodes.get(2).close();
    for (int i = 0; i < KEYS; i++) {
      assertEquals("value" + i, cache.get("key" + i));
    }
    nodes.get(1).close();
    for (int i = 0; i < KEYS; i++) {
      assertEquals("value" + i, cache.get("key" + i));
    }
  }
}
