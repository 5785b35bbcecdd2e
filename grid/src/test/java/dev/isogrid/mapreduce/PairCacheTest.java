package dev.isogrid.mapreduce;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.base.Seeds;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.node.Node;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.NodeNames;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pairs of a task in a cache, and their removal. */
class PairCacheTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId NOBODY = new NodeId(0, 9);
  private final FakeEnv world = new FakeEnv();
  private final Node node = Node.start(GridConfig.builder().build(), world.env());
  private final Cache<Object, Object> cache =
      node.cache("pairs", CacheConfig.builder().storage(StorageType.OFF_HEAP).segments(1).build());
  private final CacheEngine<BinaryKey, Bytes> engine = requireNonNull(node.engine("pairs"));
  private final CacheEngine<BinaryKey, Bytes> input = input();
  private final UUID task = new UUID(1, 2);
  private final PairCache pairs = new PairCache(task, engine, world.env().nanoClock());

  @AfterEach
  void close() {
    node.close();
  }

  private PairEntry put(UUID ofTask, int number, byte[] content) throws Exception {
    PairCache of = new PairCache(ofTask, engine, world.env().nanoClock());
    Bytes value = PairEntry.value(content);
    PairEntry entry = of.entry(SELF, new PairEntry.Part(3, number, content.length), value);
    return of.put(entry, value, () -> true).get(120, TimeUnit.SECONDS);
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void read_givesEveryRange() throws Exception {
    Seeds.run(
        200,
        random -> {
          byte[] content = random(new Random(random.nextLong()), 1 + random.nextInt(100_000));
          PairEntry entry = put(task, 1, content);
          int from = random.nextInt(content.length);
          int length = 1 + random.nextInt(content.length + 10 - from);
          byte[] target = new byte[length + 3];
          int count = pairs.read(entry, ByteBuffer.wrap(target, 3, length), from);
          assertEquals(Math.min(length, content.length - from), count);
          assertArrayEquals(
              Arrays.copyOfRange(content, from, from + count),
              Arrays.copyOfRange(target, 3, 3 + count));
        });
  }

  @Test
  void reference_isToTheSameEntry() throws Exception {
    PairEntry entry = put(task, 7, new byte[300]);
    PairBytes message = new PairBytes(10);
    message.write(1);
    entry.write(message);
    assertEquals(entry, PairEntry.read(message.copy(), 1));
    assertEquals(3, entry.attempt());
    pairs.discard(entry);
    Await.until("no entry", () -> cache.size() == 0);
    PairCacheException gone =
        assertThrows(PairCacheException.class, () -> pairs.read(entry, ByteBuffer.allocate(10), 0));
    assertTrue(String.valueOf(gone.getMessage()).contains("cache=pairs"), gone::toString);
  }

  @Test
  void changedEntry_isNotRead() throws Exception {
    PairEntry entry = put(task, 1, new byte[300]);
    cache.replaceAll((_, _) -> new byte[299]);
    assertThrows(PairCacheException.class, () -> pairs.read(entry, ByteBuffer.allocate(10), 0));
  }

  @Test
  void put_thatEndsAfterTheTask_isTakenBack() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    BinaryKey key = BinaryKey.of(new byte[] {1});
    Thread holder =
        Thread.ofPlatform()
            .start(() ->
                engine.write(
                    key,
                    key.hash(),
                    (_, _) -> { // holds the lock of the only segment
                      held.countDown();
                      try {
                        release.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
    held.await();
    Bytes value = PairEntry.value(new byte[10]);
    PairEntry entry = pairs.entry(SELF, new PairEntry.Part(1, 1, 10), value);
    CompletableFuture<PairEntry> late = pairs.put(entry, value, () -> true);
    pairs.stop(1);
    assertFalse(late.isDone());
    release.countDown();
    assertEquals(entry, late.get(120, TimeUnit.SECONDS));
    pairs.stop(TimeUnit.SECONDS.toNanos(10));
    holder.join();
    assertEquals(0, cache.size());
    assertThrows(StoppedException.class, () -> pairs.put(entry, value, () -> true));
  }

  private static byte[] pairsOf(long first, int count) {
    PairBytes out = new PairBytes(100);
    for (long number = first; number < first + count; number++) {
      int at = RunCursor.begin(out);
      PairCodec.write(number, out);
      int keyLength = out.length() - at - RunCursor.HEAD_BYTES;
      PairCodec.write(1L, out);
      RunCursor.end(out, at, (int) number, keyLength);
    }
    return out.copy();
  }

  @Test
  void partition_removesWhatIsDropped_andKeepsWhatIsMerged() throws Exception {
    NodeCounters counters = new NodeCounters(1);
    PartitionStore store =
        new PartitionStore(
            (left, right) -> (Long) left + (Long) right,
            new AtomicLong(),
            1 << 20,
            counters,
            world.env().nanoClock(),
            ObjectReader.ofAllPackages());
    for (int i = 0; i < 50; i++) {
      store.add(i % 2 == 0 ? 0 : 3, new Run.InCache(pairs, put(task, i, pairsOf(i, 100))));
    }
    store.add(5, new Run.InCache(pairs, put(task, 99, pairsOf(99, 1)))); // sent again of another
    assertEquals(51, cache.size());
    store.drop(new long[] {5, 3});
    Await.until("what was dropped to go", () -> cache.size() == 26);
    store.count(new long[] {0});
    assertTrue(store.memoryBytes() > 0, "some are merged by now");
    byte[] result = store.part(0, null, 1 << 20).toByteArray();
    assertArrayEquals(result, store.part(0, null, 1 << 20).toByteArray(), "asked for again");
    assertThrows(NoSuchTaskException.class, () -> store.part(1, null, 1 << 20));
    assertEquals(1, result[0]);
    RunCursor cursor = RunCursor.ofMemory(result, 1, result.length);
    long sum = 0;
    for (int number = 0; cursor.next(); number++) {
      assertEquals(number, cursor.keyHash());
      sum += (Long) cursor.value(ObjectReader.ofAllPackages());
    }
    assertEquals(25 * 100, sum);
    assertEquals(0, store.memoryBytes());
    assertEquals(26, cache.size());
  }

  @Test
  void partition_whosePartsDoNotFitIntoItsMemory_isMergedOnDisk() throws Exception {
    NodeCounters counters = new NodeCounters(1);
    PartitionStore store =
        new PartitionStore(
            (left, right) -> left,
            new AtomicLong(),
            1000,
            counters,
            world.env().nanoClock(),
            ObjectReader.ofAllPackages());
    for (int i = 0; i < 16; i++) {
      store.add(0, new Run.InCache(pairs, put(task, i, pairsOf(i, 100))));
    }
    store.count(new long[] {0});
    assertEquals(0, store.memoryBytes());
    assertTrue(counters.bytesSpilled.sum() > 0);
    store.close();
  }

  @Test
  void entries_thatComeLateOfANodeThatIsGone_areRemovedLater() throws Exception {
    PairCleaning cleaning = new PairCleaning(calls(), _ -> source(engine), _ -> false);
    put(task, 1, new byte[10]);
    cleaning.ended(task, "pairs", true);
    assertEquals(0, cache.size());
    assertFalse(cleaning.hasLeft());
    cleaning.ended(task, "pairs", false);
    put(task, 1, new byte[10]);
    cleaning.sweep();
    assertEquals(0, cache.size());
    for (int i = 0; i < 10; i++) {
      cleaning.sweep();
    }
    assertFalse(cleaning.hasLeft());
  }

  @Test
  void entries_thatTheirPrimaryDoesNotRemove_areRemovedFromAfar() throws Exception {
    AtomicLong asked = new AtomicLong();
    PairCleaning cleaning =
        new PairCleaning(
            calls(), _ -> asked.incrementAndGet() == 2 ? null : source(engine), _ -> false);
    put(task, 1, new byte[10]);
    put(UUID.randomUUID(), 1, new byte[10]);
    cleaning.ended(task, "pairs", true);
    assertEquals(2, asked.get());
    assertEquals(1, cache.size());
    assertFalse(cleaning.hasLeft());
  }

  // ---- tasks whose starter is silent

  private CacheEngine<BinaryKey, Bytes> input() {
    Cache<Integer, String> made =
        node.cache("input", CacheConfig.builder().storage(StorageType.HEAP_BINARY).build());
    return requireNonNull(node.engine(made.name()));
  }

  private MapReduceService service() {
    return new MapReduceService(
        calls(), world.env(), name -> source(name.equals("pairs") ? engine : input));
  }

  private NodeCalls calls() {
    return new NodeCalls(
        new NodeNames(SELF, ""),
        null,
        world.env().nanoClock(),
        Executors.newVirtualThreadPerTaskExecutor(),
        ObjectReader.ofAllPackages());
  }

  private static MapSource<BinaryKey, Bytes> source(CacheEngine<BinaryKey, Bytes> of) {
    return new MapSource<>(
        of, key -> BinaryKey.of((byte[]) key), BinaryKey::hash, key -> key, value -> value, true);
  }

  /** Takes part in a task of a node that has become silent, and lets three minutes pass. */
  private void forget(MapReduceService service, UUID ofTask, NodeId starter) {
    Mapper<Object, Object, Object, Object> mapper = (_, _, _) -> {};
    TaskSpec spec = new TaskSpec("input", mapper, null, null, null, null, 0, "pairs");
    service.open(starter, new TaskKey(ofTask, 7), spec, null);
    for (int i = 0; i < 18; i++) {
      world.advance(10_000);
      world.runTasks();
    }
  }

  @Test
  void entries_ofAStarterThatIsGone_areRemoved() throws Exception {
    try (MapReduceService service = service()) {
      cache.put("a", "b");
      put(task, 1, new byte[10]);
      put(UUID.randomUUID(), 1, new byte[10]);
      forget(service, task, NOBODY);
      assertEquals(2, cache.size());
      assertEquals("b", cache.get("a"));
    }
  }

  @Test
  void entries_ofAStarterThatKnowsNothingOfTheTask_areRemoved() throws Exception {
    try (MapReduceService service = service()) {
      put(task, 1, new byte[10]);
      forget(service, task, SELF);
      assertEquals(0, cache.size());
    }
  }

  @Test
  void entries_ofATaskThatGoesOn_stayUntilItEnds() throws Exception {
    try (MapReduceService service = service()) {
      MapReduceTask<String, Long> wanted =
          node.<Object, Object>mapReduce(requireNonNull(node.findCache("input")))
              .countBy((_, _) -> "all")
              .usingSharedIntermediateCache("pairs");
      MapReduceJob<String, Long> job = service.start(wanted);
      UUID running = UUID.fromString(service.reports().getFirst().id());
      put(running, 1, new byte[10]);
      forget(service, running, SELF);
      assertEquals(1, cache.size());
      job.cancel();
      assertThrows(MapReduceException.class, job::result);
      Await.until("no entry", () -> cache.size() == 0);
    }
  }
}
