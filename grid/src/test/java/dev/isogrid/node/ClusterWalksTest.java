package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.StorageType;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.node.CacheSetting.Viewpoint;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Walks through a cluster's cache: which nodes they ask, and how much they wait for at a time. */
@Timeout(120)
class ClusterWalksTest {
  private static final int COUNT = 100;

  private static CacheConfig.Builder config(int owners, int segments) {
    return CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(owners).segments(segments);
  }

  /** Counts messages between nodes by their kinds. */
  private static final class Watch implements ObjIntConsumer<Message> {
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final AtomicLong answerBytes = new AtomicLong();
    private final AtomicLong takenBytes = new AtomicLong();
    private final AtomicLong aheadMax = new AtomicLong();
    private volatile @Nullable Class<? extends Message> answerKind;

    /** Watches from now on. */
    static Watch of(SteppedGrids grids) {
      Watch watch = new Watch();
      grids.network().watch(watch);
      return watch;
    }

    @Override
    public void accept(Message message, int bytes) {
      String kind = message.getClass().getSimpleName();
      counts.computeIfAbsent(kind, _ -> new AtomicLong()).incrementAndGet();
      if (kind.equals("Answer")) {
        answerKind = message.getClass();
        answerBytes.addAndGet(bytes);
        aheadMax.accumulateAndGet(ahead(), Math::max);
      }
    }

    long count(String kind) {
      AtomicLong counted = counts.get(kind);
      return counted == null ? 0 : counted.get();
    }

    /** The bytes of answers whose entries were not taken. */
    long ahead() {
      return answerBytes.get() - takenBytes.get();
    }
  }

  @SuppressWarnings("unchecked") // clustered caches have bytes
  private static CacheEngine<BinaryKey, Bytes> engine(Node node) {
    return (CacheEngine<BinaryKey, Bytes>) SteppedGrids.engine(node, "c");
  }

  private static Map<String, String> contents(Node node) {
    Map<String, String> seen = new TreeMap<>();
    Cache<String, String> cache = node.cache("c");
    for (Map.Entry<String, String> entry : cache.entrySet()) {
      assertNull(seen.put(entry.getKey(), entry.getValue()), entry.getKey());
    }
    return seen;
  }

  private static Map<String, String> fill(Node node, String value) {
    Map<String, String> expected = new TreeMap<>();
    Cache<String, String> cache = node.cache("c");
    for (int i = 0; i < COUNT; i++) {
      cache.put("k" + i, value + i);
      expected.put("k" + i, value + i);
    }
    return expected;
  }

  /** Makes a cache of which each of two nodes has all that is committed; returns its entries. */
  private static Map<String, String> fillCopies(SteppedGrids grids, StorageType storage)
      throws Exception {
    return fillCopies(grids, storage, "v");
  }

  private static Map<String, String> fillCopies(
      SteppedGrids grids, StorageType storage, String value) throws Exception {
    grids.create("c", config(2, 8).storage(storage).build());
    Map<String, String> entries = fill(grids.nodes().getLast(), value);
    for (Node node : grids.nodes()) {
      CacheEngine<BinaryKey, Bytes> engine = engine(node);
      grids.await(() ->
          IntStream.range(0, engine.segmentCount()).allMatch(index -> engine.readable(index) >= 0));
    }
    return entries;
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void walk_ofSettledCopies_asksNoOtherNode(StorageType storage) throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      Map<String, String> expected = fillCopies(grids, storage);
      Watch watch = Watch.of(grids);
      for (Node node : grids.nodes()) {
        assertEquals(expected, contents(node));
      }
      assertEquals(0, watch.count("Request"));
    }
  }

  /** Pages of copied entries of this node follow each other in the same room. */
  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void walk_ofSettledCopiesOfSeveralPages_showsEachEntryOnce(StorageType storage) throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      Map<String, String> expected = fillCopies(grids, storage, "x".repeat(20_000));
      Watch watch = Watch.of(grids);
      for (Node node : grids.nodes()) {
        assertEquals(expected, contents(node));
      }
      assertEquals(0, watch.count("Request"));
    }
  }

  /** The time stands still after the write, so that the backup does not hear of its commit. */
  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void walk_ofACopyThatDoesNotKnowACommit_asksThePrimary(StorageType storage) throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      Map<String, String> expected = fillCopies(grids, storage);
      Watch watch = Watch.of(grids);
      grids.nodes().getFirst().<String, String>cache("c").put("k7", "new");
      expected.put("k7", "new");
      for (Node node : grids.nodes()) {
        assertEquals(expected, contents(node));
      }
      assertEquals(1, watch.count("Request"));
    }
  }

  /** Entries expire by the clock of the primary. */
  @Test
  void walk_ofCopiesThatMayExpire_asksThePrimary() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      grids.create("c", config(2, 1).build());
      grids
          .nodes()
          .getFirst()
          .<String, String>cache("c")
          .put("k", "v", Expiry.lifespan(1, TimeUnit.HOURS));
      grids.time.settle();
      Watch watch = Watch.of(grids);
      for (Node node : grids.nodes()) {
        assertEquals(Map.of("k", "v"), contents(node));
      }
      assertEquals(1, watch.count("Request"));
    }
  }

  /** A walk that does not heed moves would not notice that a copy is written to. */
  @Test
  void walk_thatDoesNotHeedMoves_asksThePrimaries() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      Map<String, String> expected = fillCopies(grids, StorageType.HEAP_BINARY);
      Watch watch = Watch.of(grids);
      Cache<String, String> cache = grids.nodes().getFirst().cache("c");
      Set<String> seen = new HashSet<>();
      try (CacheStream<String> keys = cache.keySet().stream()) {
        keys.disableRehashAware().iterator().forEachRemaining(seen::add);
      }
      assertEquals(expected.keySet(), seen);
      assertEquals(1, watch.count("Request"));
    }
  }

  /** A walk of one node, entry by entry. */
  private static final class Walker {
    final EntryWalk<BinaryKey, Bytes> walk;
    private final CacheEngine<BinaryKey, Bytes> engine;
    private final EntryView<BinaryKey, Bytes> view;
    private final NodeId self;
    private final Watch watch;
    private final Set<String> seen = new HashSet<>();

    Walker(Node node, Watch watch) {
      this.engine = engine(node);
      this.walk = engine.walk();
      this.view = engine.newView();
      this.self = node.calls().self();
      this.watch = watch;
    }

    /** Takes the next entry, if there is one. */
    boolean take() {
      if (!walk.next(view)) {
        return false;
      }
      String key = (String) ScalarMarshaller.INSTANCE.fromBytes(view.key().toByteArray());
      assertTrue(seen.add(key), () -> "twice: " + key);
      int index = engine.segmentOf(view.key().hash());
      if (!self.equals(engine.primary(index))) {
        watch.takenBytes.addAndGet(view.value().length());
      }
      return true;
    }

    /** Takes up to a number of entries. */
    void take(int count) {
      boolean hasMore = true;
      for (int i = 0; i < count && hasMore; i++) {
        hasMore = take();
      }
    }
  }

  /** The time stands still after the write, so that the copy does not hear of its commit. */
  @Test
  void walk_ofACopyThatIsWrittenToMeanwhile_asksThePrimary() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      Map<String, String> expected = fillCopies(grids, StorageType.HEAP_BINARY);
      CacheEngine<BinaryKey, Bytes> any = engine(grids.nodes().getFirst());
      int last = any.segmentCount() - 1;
      Watch watch = Watch.of(grids);
      Walker walker = new Walker(grids.node(Viewpoint.BACKUP, "c", last), watch);
      walker.take(1);
      String key =
          expected.keySet().stream()
              .filter(each -> any.segmentOf(hash(each)) == last)
              .findFirst()
              .orElseThrow();
      grids.node(Viewpoint.PRIMARY, "c", last).<String, String>cache("c").put(key, "new");
      walker.take(COUNT);
      assertEquals(expected.keySet(), walker.seen);
      assertEquals(1, watch.count("Request"));
    }
  }

  private static int hash(String key) {
    return BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(key)).hash();
  }

  /** A node has several segments then of which a part was sent. */
  @Test
  void walk_ofSegmentsThatAreLargerThanPages_showsEachEntryOnce() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      grids.create("c", config(1, 8).build());
      Node reader = grids.nodes().getFirst();
      Map<String, String> expected = fill(reader, "x".repeat(200_000));
      grids.time.settle();
      Walker walker = new Walker(reader, Watch.of(grids));
      walker.take(COUNT + 1);
      assertEquals(expected.keySet(), walker.seen);
    }
  }

  /** A segment has some 120 kB, and a page one or two. */
  @Test
  void answersThatWait_areSeveralPerNode_andBounded() throws Exception {
    String value = "x".repeat(5_000);
    int count = 3_000;
    long most = 2 * (1 << 20) + (256 << 10);
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("c", config(1, 128).build());
      Cache<String, String> cache = grids.nodes().getFirst().cache("c");
      for (int i = 0; i < count; i++) {
        cache.put("k" + i, value);
      }
      grids.time.settle();
      Watch watch = Watch.of(grids);
      Walker walker = new Walker(grids.nodes().getFirst(), watch);
      for (int i = 0; i < count && watch.count("Request") < 10; i++) {
        walker.take(1); // until each of the two has four questions after its first one
      }
      Await.until("answers ahead", () -> watch.ahead() > 800_000);
      walker.take(count + 1);
      assertEquals(count, walker.seen.size());
      assertTrue(watch.aheadMax.get() <= most, watch.aheadMax::toString);
    }
  }

  @Test
  void close_cancelsTheQuestionsThatAreOpen() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("c", config(1, 16).build());
      Node reader = grids.nodes().getFirst();
      fill(reader, "v");
      Watch watch = Watch.of(grids);
      assertEquals(COUNT, contents(reader).size());
      long asked = watch.count("Request");
      grids.network().losing(reader.calls().self(), requireNonNull(watch.answerKind));
      Walker walker = new Walker(reader, watch);
      walker.take(1);
      assertEquals(asked + 2, watch.count("Request"));
      assertEquals(0, watch.count("Cancel"));
      walker.walk.close();
      walker.walk.close();
      assertEquals(2, watch.count("Cancel"));
      grids.network().losing(reader.calls().self(), null);
    }
  }

  @Test
  void walk_thatLosesAnswersAndANode_showsEachEntryOnce() throws Exception {
    String value = "x".repeat(20_000);
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      grids.create("c", config(2, 32).build());
      Node reader = grids.nodes().getFirst();
      Map<String, String> expected = fill(reader, value);
      Watch watch = Watch.of(grids);
      assertEquals(expected, contents(reader));
      Class<? extends Message> answers = requireNonNull(watch.answerKind);
      Walker walker = new Walker(reader, watch);
      grids.time.call(() -> {
        walker.take(COUNT / 4);
        return walker;
      });
      List<Node> others = new ArrayList<>(grids.nodes());
      others.remove(reader);
      grids.network().losing(reader.calls().self(), answers);
      grids.kill(others.getLast());
      grids.network().losing(reader.calls().self(), null);
      grids.time.call(() -> {
        walker.take(COUNT + 1);
        return walker;
      });
      assertEquals(expected.keySet(), walker.seen);
    }
  }
}
