package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Segment;
import dev.isogrid.store.TextKind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The store of a clustered cache that begins when there are entries in memory. */
class BegunStoreTest {
  private static final String FILE = "journal-0000000000000001.log";
  private static final long LAST = 5;

  private final TextKind<BinaryKey, Bytes> kind = TextKind.BINARY;
  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  private Container<BinaryKey, Bytes> container() {
    return kind.container(1, EngineFixture.EPOCH, env.env().epochClock());
  }

  private static EntryJournal<BinaryKey, Bytes> kept(Container<BinaryKey, Bytes> container) {
    return new EntryJournal<>("c", container, StoredForm.BYTES, 0, EngineFixture.EPOCH);
  }

  private Recovery recovery() throws IOException {
    return Recovery.open(disk, new JournalScope("c", "bytes", 1), new UUID(1, 2), false);
  }

  private void begin() throws IOException {
    Container<BinaryKey, Bytes> container = container();
    EntryJournal<BinaryKey, Bytes> kept = kept(container);
    Segment<BinaryKey, Bytes> segment = container.segmentAt(0);
    for (long seq = 1; seq <= LAST; seq++) {
      BinaryKey key = kind.key("key" + seq);
      segment.lock();
      try {
        segment.locate(key, key.hash(), segment.writeView());
        segment.writeEffect().clear();
        segment.writeEffect().store(kind.value("v"), -1, -1, 0, null);
        segment.applyLocated(
            key,
            key.hash(),
            segment.writeView(),
            segment.writeEffect(),
            Segment.epochBits(EngineFixture.EPOCH) | seq);
        long _ = kept.complete(0, seq);
      } finally {
        segment.endWrite();
        segment.unlock();
      }
    }
    JournalThreads threads = new JournalThreads(tasks::add, (_, _) -> () -> {});
    JournalSettings settings = new JournalSettings(Fsync.EACH, 1000, 1 << 20);
    Recovery recovery = recovery();
    recovery.replay(kept);
    Journal begun = recovery.start(EngineFixture.EPOCH, settings, 0, kept, threads);
    kept.beginWith(begun);
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Test
  void store_whoseBeginningIsCutOff_hasNoPlace() throws IOException {
    begin();
    int whole = 0;
    for (int bytes = disk.content(FILE).length; bytes > 200; bytes--) {
      disk.truncate(FILE, bytes);
      Container<BinaryKey, Bytes> container = container();
      EntryJournal<BinaryKey, Bytes> kept = kept(container);
      recovery().replay(kept);
      long place = kept.loadedPlaces()[0];
      int count = container.segmentAt(0).count();
      if (place == LAST) {
        assertEquals(LAST, count);
        whole++;
      } else {
        assertTrue(place <= 0, "place " + place + " of " + count + " entries");
      }
    }
    assertTrue(whole > 0);
  }
}
