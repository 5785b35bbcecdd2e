package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The store of a clustered cache that begins while the cache is used, and one that is cleared. */
class BegunStoreTest {
  private static final String FILE = "journal-0000000000000001.log";
  private static final long LAST = 5;

  private final TextKind<BinaryKey, Bytes> kind = TextKind.BINARY;
  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  /** The store that begins, or began last. */
  private @Nullable EntryJournal<BinaryKey, Bytes> beginning;

  private Container<BinaryKey, Bytes> container() {
    return kind.container(1, EngineFixture.EPOCH, env.env().epochClock());
  }

  private static EntryJournal<BinaryKey, Bytes> kept(Container<BinaryKey, Bytes> container) {
    return new EntryJournal<>("c", container, StoredForm.BYTES, 0, EngineFixture.EPOCH);
  }

  private Recovery recovery() throws IOException {
    return Recovery.open(disk, new JournalScope("c", "bytes", 1), new UUID(1, 2), false);
  }

  /** Begins a store with so many entries. */
  private EntryJournal<BinaryKey, Bytes> begin(
      Container<BinaryKey, Bytes> container, long entries, Executor executor) throws IOException {
    EntryJournal<BinaryKey, Bytes> kept = kept(container);
    beginning = kept;
    Segment<BinaryKey, Bytes> segment = container.segmentAt(0);
    for (long seq = 1; seq <= entries; seq++) {
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
    JournalThreads threads = new JournalThreads(executor, (_, _) -> () -> {});
    JournalSettings settings = new JournalSettings(Fsync.EACH, 1000, 1 << 20);
    Recovery recovery = recovery();
    recovery.replay(kept);
    Journal begun = recovery.start(EngineFixture.EPOCH, settings, 0, kept, threads);
    kept.beginWith(begun);
    return kept;
  }

  /** Runs a journal's task at once, and notes up to where the file is then. */
  private Executor noting(List<Integer> ends) {
    return task -> {
      task.run();
      ends.add(disk.zerosBegin(FILE));
    };
  }

  /** Loads what a process left that ended when the file had so many bytes. */
  private EntryJournal<BinaryKey, Bytes> load(Container<BinaryKey, Bytes> container, int bytes)
      throws IOException {
    disk.truncate(FILE, bytes);
    EntryJournal<BinaryKey, Bytes> kept = kept(container);
    recovery().replay(kept);
    return kept;
  }

  @Test
  void store_whoseBeginningIsCutOff_hasNoPlace() throws IOException {
    EntryJournal<BinaryKey, Bytes> _ = begin(container(), LAST, tasks::add);
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    int whole = 0;
    for (int bytes = disk.zerosBegin(FILE) + 50; bytes > 200; bytes--) {
      Container<BinaryKey, Bytes> container = container();
      long place = load(container, bytes).loadedPlaces()[0];
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

  @Test
  void store_thatBeginsWithoutEntries_hasAPlaceWhereverTheProcessEnds() throws IOException {
    List<Integer> ends = new ArrayList<>();
    EntryJournal<BinaryKey, Bytes> _ = begin(container(), 0, noting(ends));
    assertFalse(ends.isEmpty());
    for (int end : ends.reversed()) {
      assertEquals(0, load(container(), end).loadedPlaces()[0]);
    }
  }

  /** Else it would be answered before the store has its segment. */
  @Test
  void write_whileTheStoreBegins_isNotAdmitted() throws IOException {
    List<Boolean> admitted = new ArrayList<>();
    EntryJournal<BinaryKey, Bytes> kept =
        begin(
            container(),
            LAST,
            task -> {
              task.run();
              admitted.add(requireNonNull(beginning).tryAdmitUnforced());
            });
    assertEquals(Set.of(false), Set.copyOf(admitted));
    assertTrue(kept.tryAdmitUnforced());
  }

  /** Else the segment had no place, and would begin anew, together with other caches' entries. */
  @Test
  void clear_whereverTheProcessEnds_leavesAPlace() throws IOException {
    List<Integer> ends = new ArrayList<>();
    Container<BinaryKey, Bytes> cleared = container();
    EntryJournal<BinaryKey, Bytes> kept = begin(cleared, LAST, noting(ends));
    ends.clear();
    Segment<BinaryKey, Bytes> segment = cleared.segmentAt(0);
    segment.lock();
    try {
      long _ = kept.clear(0, LAST + 1);
    } finally {
      segment.unlock();
    }
    assertFalse(ends.isEmpty());
    assertEquals(LAST + 1, load(container(), ends.getLast()).loadedPlaces()[0]);
    for (int end : ends.reversed()) {
      Container<BinaryKey, Bytes> container = container();
      boolean isCleared = load(container, end).loadedPlaces()[0] > LAST;
      assertEquals(isCleared ? 0 : LAST, container.segmentAt(0).count());
    }
  }
}
