package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.journal.EntryAttributes;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.PutRecord;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.TextKind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A cache of one node whose store is cleaned while entries are overwritten. */
class CleanedEntriesTest {
  private static final int KEYS = 200;
  private static final int KEPT_KEYS = 20;
  private static final long FILE_BYTES = 4000;

  private final TextKind<BinaryKey, Bytes> kind = TextKind.BINARY;
  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Map<String, String> expected = new TreeMap<>();

  private void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Opens what the disk has, as a process does that begins. */
  private LocalEngine<BinaryKey, Bytes> open() throws IOException {
    tasks.clear();
    Container<BinaryKey, Bytes> container =
        kind.container(1, EngineFixture.EPOCH, env.env().epochClock());
    EntryJournal<BinaryKey, Bytes> kept = new EntryJournal<>("c", container, StoredForm.BYTES, 0);
    Recovery recovery =
        Recovery.open(disk, new JournalScope("c", "bytes", 1), new UUID(1, 2), false);
    recovery.replay(kept);
    kept.skipVersions(recovery.lastVersion());
    kept.begin(start(recovery, kept));
    CacheConfig config =
        CacheConfig.builder()
            .segments(1)
            .fileStore(FileStore.builder().fsync(Fsync.EACH).build())
            .build();
    return new LocalEngine<>("c", config, container, env.env(), new FlightWaits(), kept);
  }

  private Journal start(Recovery recovery, EntryJournal<?, ?> kept) throws IOException {
    JournalSettings settings = new JournalSettings(Fsync.EACH, 1000, FILE_BYTES);
    JournalThreads threads = new JournalThreads(tasks::add, (_, _) -> () -> {});
    return recovery.start(EngineFixture.EPOCH, settings, kept.liveBytes(), kept, threads);
  }

  private void put(LocalEngine<BinaryKey, Bytes> engine, int number, String value) {
    BinaryKey key = kind.key("key-" + number);
    KeyWrite<BinaryKey, Bytes> put = new KeyWrite<BinaryKey, Bytes>().put(kind.value(value));
    PendingWrite _ = engine.tryBegin(key, key.hash(), put, () -> {});
    work();
    expected.put("key-" + number, value);
  }

  private void assertAll(LocalEngine<BinaryKey, Bytes> engine) {
    Map<String, String> found = new TreeMap<>();
    for (int number = 0; number < KEYS; number++) {
      BinaryKey key = kind.key("key-" + number);
      boolean _ =
          engine.read(
              key,
              key.hash(),
              engine.newView(),
              entry -> found.put(kind.keyText(entry.key()), kind.text(entry.value())));
    }
    assertEquals(expected, found);
  }

  @Test
  void overwrites_withRestarts_loseNothing() throws IOException {
    Random random = new Random(2);
    for (int life = 0; life < 5; life++) {
      LocalEngine<BinaryKey, Bytes> engine = open();
      assertAll(engine);
      for (int i = 0; i < 2_000; i++) {
        int number = random.nextInt(random.nextBoolean() ? KEYS : KEYS / 10);
        put(engine, number, "value %d of life %d".formatted(i, life));
      }
    }
    assertAll(open());
  }

  /** As all entries of one write of a cluster have, whose stores a single node can open. */
  @Test
  void entriesOfAFormerProcessWithOneVersion_outliveEachOther() throws IOException {
    Container<BinaryKey, Bytes> container =
        kind.container(1, EngineFixture.EPOCH, env.env().epochClock());
    EntryJournal<BinaryKey, Bytes> none = new EntryJournal<>("c", container, StoredForm.BYTES, 0);
    Journal former =
        start(Recovery.open(disk, new JournalScope("c", "bytes", 1), new UUID(1, 2), false), none);
    long version = container.segmentAt(0).shownVersion(7);
    for (int number = 0; number < KEYS; number++) {
      byte[] key = kind.key("key-" + number).toByteArray();
      byte[] value = kind.value("old").toByteArray();
      PutRecord put = new PutRecord(0, version, EntryAttributes.NONE, key.length, value.length);
      System.arraycopy(key, 0, put.bytes(), put.keyOffset(), key.length);
      System.arraycopy(value, 0, put.bytes(), put.valueOffset(), value.length);
      long _ = former.append(put, put.bytes().length);
      expected.put("key-" + number, "old");
    }
    work();

    LocalEngine<BinaryKey, Bytes> engine = open();
    // The first file has the entries that stay. It is cleaned while only their version is noted.
    for (int number = KEPT_KEYS; number < KEYS; number++) {
      put(engine, number, "new " + number);
    }
    assertFalse(disk.exists("journal-0000000000000001.log"));
    assertAll(open());
  }
}
