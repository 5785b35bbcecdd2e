package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.EntryCommand.ReadEntry;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import dev.isogrid.store.TextKind;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A segment of a clustered cache whose writes are forced, at its primary. */
class StoredSegmentTest {
  private static final int CACHE = 1;
  private static final CacheConfig CONFIG =
      CacheConfig.builder()
          .mode(CacheMode.DIST_SYNC)
          .owners(1)
          .segments(1)
          .fileStore(FileStore.builder().fsync(Fsync.EACH).build())
          .build();

  private final TextKind<BinaryKey, Bytes> kind = TextKind.BINARY;
  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Runnable> ticks = new ArrayList<>();
  private final ServedSegment served = new ServedSegment();
  private final BinaryKey key = kind.key("key");
  private final EntryKey entryKey = new EntryKey(CACHE, key.toByteArray());
  private final ReadEntry read = new ReadEntry(entryKey);
  private final ReplicatedEngine engine;
  private final ReplicatedSegment segment;

  StoredSegmentTest() throws IOException {
    Container<BinaryKey, Bytes> container = container();
    EntryJournal<BinaryKey, Bytes> kept = kept(container);
    Recovery recovery = recovery(false);
    recovery.replay(kept);
    JournalSettings settings = new JournalSettings(Fsync.EACH, 1000, 1 << 20);
    JournalThreads threads =
        new JournalThreads(
            tasks::add,
            (_, tick) -> {
              ticks.add(tick);
              return () -> {};
            });
    kept.begin(recovery.start(EngineFixture.EPOCH, settings, 0, kept, threads));
    engine =
        new ReplicatedEngine(
            new CacheDefinition(CACHE, "c", 0, EngineFixture.EPOCH, ""),
            CONFIG,
            container,
            new ServedSegment[] {served},
            new ClusterCalls(driver(), 0, 1000),
            env.env(),
            kept);
    ReplicaStore store = engine.store();
    DiskReads reads = new DiskReads(env.env().scheduler(), step -> step.accept(0));
    segment = new ReplicatedSegment(0, served, _ -> store, List.of(store), () -> CACHE, -1, reads);
  }

  private Container<BinaryKey, Bytes> container() {
    return kind.container(1, EngineFixture.EPOCH, env.env().epochClock());
  }

  private static EntryJournal<BinaryKey, Bytes> kept(Container<BinaryKey, Bytes> container) {
    return new EntryJournal<>("c", container, StoredForm.BYTES, 0, EngineFixture.EPOCH);
  }

  private Recovery recovery(boolean isReadOnly) throws IOException {
    return Recovery.open(disk, new JournalScope("c", "bytes", 1), new UUID(1, 2), isReadOnly);
  }

  /** A driver that was not started. */
  private ClusterDriver driver() {
    Transport nowhere =
        new Transport() {
          @Override
          public NodeId self() {
            return new NodeId(0, 1);
          }

          @Override
          public void start(TransportHandler handler) {}

          @Override
          public void send(NodeId to, Message message) {}

          @Override
          public void flush(boolean mayBlock) {}

          @Override
          public void probe(NodeId node) {}

          @Override
          public void close() {}
        };
    return new ClusterDriver(
        nowhere,
        new DriverConfig(
            new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), 1),
            new FoundingRules(7, 0, -1, false, 1, 1),
            MemberProfile.ofCapacity(1)),
        _ -> new TestEntries(),
        (_, _, _) -> {},
        (_, _) -> {},
        env.env());
  }

  private void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** A write of the cluster. */
  private void commit(String value, long seq) {
    commit(value, 0, Expiry.UNLIMITED, seq);
  }

  /** A write of the cluster; of the times alone if it has the place of the entry. */
  private void commit(String value, long ofEntry, long lifespanMillis, long seq) {
    long created = env.nowMillis();
    ByteString bytes = ByteString.of(kind.value(value).toByteArray());
    DetachedEntry entry =
        new DetachedEntry(ofEntry, created, lifespanMillis, created, -1, 0, null, bytes);
    segment.put(entryKey, entry, seq);
  }

  private void assertRead(String value) {
    DetachedEntry entry = (DetachedEntry) requireNonNull(segment.read(entryKey));
    assertEquals(ByteString.of(kind.value(value).toByteArray()), entry.value());
  }

  @Test
  void read_ofAWrite_waitsForTheForce() {
    commit("one", 1);
    assertRead("one");
    assertEquals(1, segment.unkeptSeq(read));
    assertEquals(0, segment.keptSeq());
    work();
    assertEquals(0, segment.unkeptSeq(read));
    assertEquals(Long.MAX_VALUE, segment.keptSeq());
  }

  @Test
  void read_ofAWrite_whileTheDiskFails_waitsForNothing() {
    commit("one", 1);
    disk.limit(0);
    work();
    assertRead("one");
    assertEquals(0, segment.unkeptSeq(read));
    assertEquals(0, segment.keptSeq()); // so the write has no answer yet
  }

  @Test
  void read_ofAWriteOfACallerOfThePrimary_waitsForTheForce() {
    segment.beginOwn(4);
    KeyWrite<BinaryKey, Bytes> put = new KeyWrite<BinaryKey, Bytes>().put(kind.value("one"));
    assertNotNull(engine.tryBegin(key, key.hash(), put, () -> {}));
    assertRead("one");
    assertEquals(4, segment.unkeptSeq(read));
    assertEquals(3, segment.keptSeq());
    work();
    assertEquals(0, segment.unkeptSeq(read));
    assertEquals(Long.MAX_VALUE, segment.keptSeq());
  }

  /** Else a replica that has the touch, and one that has not, would be taken for equal. */
  @Test
  void touch_hasItsPlaceOnTheDisk() throws IOException {
    commit("one", 1);
    commit("one", 1, 5000, 2);
    work();
    EntryJournal<BinaryKey, Bytes> loaded = kept(container());
    recovery(true).replay(loaded);
    assertEquals(2, loaded.loadedPlaces()[0]);
  }

  /** As at a backup, which takes what its primary has decided before it heard of the disk. */
  @Test
  void writes_whileTheDiskIsFull_areOnItOnceThereIsRoom() throws IOException {
    commit("one", 1);
    work();
    disk.limit(0); // not even what was reserved
    commit("two", 2);
    work();
    commit("three", 3);
    work();
    assertTrue(segment.isNearlyFull()); // which keeps others from writing more
    assertRead("three");
    assertEquals(1, segment.keptSeq());

    disk.limit(Long.MAX_VALUE);
    ticks.forEach(Runnable::run);
    work();
    assertEquals(Long.MAX_VALUE, segment.keptSeq());
    assertFalse(segment.isNearlyFull());
    disk.losePower();
    Container<BinaryKey, Bytes> container = container();
    EntryJournal<BinaryKey, Bytes> loaded = kept(container);
    recovery(true).replay(loaded);
    assertEquals(3, loaded.loadedPlaces()[0]);
    assertEquals(version(engine.container), version(container));
  }

  /** The clock of the primary said that it lives. */
  @Test
  void touch_ofAnEntryThatIsExpiredHere_hasTheVersionOfTheEntryOnTheDisk() throws IOException {
    commit("one", 0, 1000, 1);
    env.moveClock(2000);
    commit("one", 1, Expiry.UNLIMITED, 2);
    work();
    Container<BinaryKey, Bytes> container = container();
    EntryJournal<BinaryKey, Bytes> loaded = kept(container);
    recovery(true).replay(loaded);
    assertEquals(2, loaded.loadedPlaces()[0]);
    assertEquals(version(engine.container), version(container));
  }

  private long version(Container<BinaryKey, Bytes> container) {
    EntryView<BinaryKey, Bytes> view = container.newView();
    Segment<BinaryKey, Bytes> only = container.segmentAt(0);
    only.lock();
    try {
      only.locate(key, key.hash(), view);
      return view.version();
    } finally {
      only.unlock();
    }
  }
}
