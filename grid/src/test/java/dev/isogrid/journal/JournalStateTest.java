package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Fsync;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JournalStateTest {
  /** The time by which each look at the clock moves it. */
  private static final long STEP_MILLIS = 7;

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private long nowMillis;

  private JournaledMap open() throws IOException {
    JournalSettings settings = new JournalSettings(Fsync.EACH, 1000, 1 << 20);
    return new JournaledMap(
        disk, settings, JournaledMap.SCOPE, false, () -> nowMillis += STEP_MILLIS);
  }

  @Test
  void state_afterForces_hasTheirNumberAndTime() throws IOException {
    JournaledMap map = open();
    assertEquals(0, map.journal().state().stats().forces());
    for (int i = 0; i < 3; i++) {
      map.put("k" + i, "v", EntryAttributes.NONE);
      map.work();
    }
    JournalStats stats = map.journal().state().stats();
    assertEquals(3, stats.forces());
    assertEquals(3 * STEP_MILLIS, stats.forceMillis());
    assertEquals(STEP_MILLIS, stats.longestForceMillis());
  }

  @Test
  void state_whileMuchIsUnforced_letsWritersWaitAndRefusesNone() throws IOException {
    JournaledMap map = new JournaledMap(disk, Fsync.NONE, 1 << 30);
    String value = "v".repeat(1 << 20);
    for (int i = 0; i < 16; i++) {
      assertFalse(map.journal().isFull());
      map.put("k" + i, value, EntryAttributes.NONE);
    }
    for (int i = 16; i < 64 && !map.journal().isFull(); i++) { // more where the heap is large
      map.put("k" + i, value, EntryAttributes.NONE);
    }
    assertTrue(map.journal().isFull());
    assertNull(map.journal().trouble());
    assertNull(map.journal().state().trouble());
    map.work();
    assertFalse(map.journal().isFull());
  }

  @Test
  void state_whileTheDiskFails_namesFileAndReason() throws IOException {
    JournaledMap map = open();
    assertNull(map.journal().state().trouble());
    String file = map.journal().state().file();
    assertTrue(file.endsWith("journal-0000000000000001.log"), file);
    disk.limit(0);
    map.put("k", "v", EntryAttributes.NONE);
    map.work();
    String trouble = map.journal().state().trouble();
    assertNotNull(trouble);
    assertTrue(trouble.contains(file), trouble);
    disk.limit(Long.MAX_VALUE);
    map.tick();
    map.work();
    assertNull(map.journal().state().trouble());
  }

  /** Else it would be lost, and its writer have an answer. */
  @Test
  void append_whenTheLastWasTaken_isRefused() throws Exception {
    JournaledMap map = open();
    Journal journal = map.journal();
    map.put("k", "v", EntryAttributes.NONE);
    List<Long> positions = new ArrayList<>();
    disk.whileForcing(() -> {
      if (positions.isEmpty()) {
        positions.add(journal.appendedBytes());
        assertThrows(FatalGridException.class, () -> journal.place(0, 7));
      }
    });
    Thread closing = Thread.ofVirtual().start(journal::close);
    Await.until("the end to be awaited", () -> closing.getState() == Thread.State.TIMED_WAITING);
    map.work();
    closing.join();
    assertEquals(List.of(journal.appendedBytes()), positions);
    assertTrue(journal.isForced(journal.appendedBytes()));
  }
}
