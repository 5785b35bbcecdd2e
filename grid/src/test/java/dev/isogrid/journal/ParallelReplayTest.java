package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Compares a replay by several threads with that of one. */
class ParallelReplayTest {
  private static final long FILE_BYTES = 2000;

  /** Keeps all files. */
  private static final long RETENTION_MILLIS = 1000;

  private final Random random = new Random(4);
  private final SimulatedDisk disk = new SimulatedDisk(random);

  /** Notes the records of each segment. */
  private static final class Recorder implements Replay {
    private final Map<Integer, List<String>> found = new ConcurrentHashMap<>();
    private long lastVersion;
    private String trouble = "none";

    @Override
    public boolean isParallel() {
      return true;
    }

    private void note(JournalRecord record, String text) {
      found.computeIfAbsent(record.segment(), _ -> new ArrayList<>()).add(text);
    }

    @Override
    public void put(JournalRecord record) {
      note(record, "put " + new String(record.key(), StandardCharsets.UTF_8));
    }

    @Override
    public void remove(JournalRecord record) {
      note(record, "remove " + record.version());
    }

    @Override
    public void clear(JournalRecord record) {
      note(record, "clear");
    }
  }

  private void write() throws IOException {
    JournalSettings settings = new JournalSettings(Fsync.EACH, 1000, FILE_BYTES, RETENTION_MILLIS);
    JournaledMap map = new JournaledMap(disk, settings, JournaledMap.SCOPE, false, () -> 0);
    for (int i = 0; i < 300; i++) {
      String key = "key-" + random.nextInt(40);
      switch (random.nextInt(20)) {
        case 0 -> map.clear(random.nextInt(JournaledMap.SEGMENTS));
        case 1, 2 -> map.remove(key);
        default -> map.put(key, "v".repeat(random.nextInt(100)), EntryAttributes.NONE);
      }
      map.work();
    }
  }

  private static Recorder replayed(Disk from, int threads, Executor helpers) throws IOException {
    Recorder recorder = new Recorder();
    Recovery recovery = Recovery.open(from, JournaledMap.SCOPE, new UUID(1, 2), true);
    try {
      recovery.replay(recorder, threads, helpers);
      recorder.lastVersion = recovery.lastVersion();
    } catch (DamagedJournalException damage) {
      recorder.trouble = String.valueOf(damage.getMessage());
      recorder.found.clear();
    }
    return recorder;
  }

  private static void assertSame(Disk from, int threads, Executor helpers) throws IOException {
    Recorder expected = replayed(from, 1, helpers);
    Recorder found = replayed(from, threads, helpers);
    assertEquals(expected.trouble, found.trouble);
    assertEquals(new TreeMap<>(expected.found), new TreeMap<>(found.found));
    assertEquals(expected.lastVersion, found.lastVersion);
  }

  @Test
  void replay_byThreadsThatHelpOrNot_hasTheSameRecords() throws IOException {
    write();
    assertTrue(disk.names().size() > 4);
    assertFalse(replayed(disk, 1, Runnable::run).found.isEmpty());
    for (int threads = 1; threads <= 4; threads++) {
      assertSame(disk, threads, Thread::startVirtualThread);
      assertSame(disk, threads, _ -> {});
    }
  }

  @Test
  void replay_ofADamagedFile_namesTheSamePlace() throws IOException {
    write();
    for (String name : disk.names()) {
      int length = disk.content(name).length;
      for (int offset = random.nextInt(97); offset < length; offset += 97) {
        SimulatedDisk damaged = disk.copy();
        damaged.damage(name, offset);
        try {
          assertSame(damaged, 2, Thread::startVirtualThread);
        } catch (DamagedJournalException _) {
          // the header, which is read before
        }
      }
    }
  }

  @Test
  void replay_thatFails_throwsInTheThreadThatWaits() throws IOException {
    write();
    Replay failing =
        new Replay() {
          @Override
          public boolean isParallel() {
            return true;
          }

          @Override
          public void put(JournalRecord record) {
            throw new IllegalStateException("full");
          }

          @Override
          public void remove(JournalRecord record) {}

          @Override
          public void clear(JournalRecord record) {}
        };
    Recovery recovery = Recovery.open(disk, JournaledMap.SCOPE, new UUID(1, 2), true);
    assertThrows(
        IllegalStateException.class, () -> recovery.replay(failing, 2, Thread::startVirtualThread));
  }
}
