package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CleanerTest {
  private static final long FILE_BYTES = 2000;
  private static final int OVERWRITES = 1000;

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));

  private JournaledMap open() throws IOException {
    return new JournaledMap(disk, Fsync.EACH, FILE_BYTES);
  }

  private static void overwrite(JournaledMap map, int times) {
    for (int i = 0; i < times; i++) {
      assertTrue(map.put("key-" + i % 10, "v".repeat(100), EntryAttributes.NONE));
      map.work();
    }
  }

  @Test
  void oldFile_thatCannotBeRead_stopsTheCleaningOnly() throws IOException {
    JournaledMap map = open();
    String first = JournalLayout.fileName(1);
    disk.unreadable(first);
    overwrite(map, OVERWRITES);
    JournalState state = map.journal().state();
    assertFalse(map.journal().isFailing());
    assertNull(state.trouble());
    assertNotNull(state.cleaningTrouble());
    assertTrue(disk.exists(first));
    disk.unreadable("");
    for (int i = 0; i < OVERWRITES; i++) {
      map.tick();
      map.work();
    }
    assertNull(map.journal().state().cleaningTrouble());
    assertFalse(disk.exists(first));
  }

  @Test
  void oldFile_thatIsDamaged_isNamedAndTriedAgain() throws IOException {
    JournaledMap map = open();
    overwrite(map, 15);
    String first = JournalLayout.fileName(1);
    disk.flip(first, 500, 1);
    overwrite(map, OVERWRITES);
    String trouble = map.journal().state().cleaningTrouble();
    assertNotNull(trouble);
    assertTrue(trouble.contains(first), trouble);
    disk.flip(first, 500, 1);
    for (int i = 0; i < OVERWRITES; i++) {
      map.tick();
      map.work();
    }
    assertNull(map.journal().state().cleaningTrouble());
    assertFalse(disk.exists(first));
  }

  @Test
  void overwrites_onADiskOfThreeTimesTheLiveBytes_neverFillIt() throws IOException {
    int keys = 200;
    long live = keys * (JournalLayout.PUT_FIXED + "key-100".length() + 100L);
    disk.limit(3 * live);
    JournalSettings settings = new JournalSettings(Fsync.NONE, 1000, live / 4, 2 * live, 0);
    JournaledMap map = new JournaledMap(disk, settings, JournaledMap.SCOPE, false, () -> 0);
    Random random = new Random(2);
    for (int i = 0; i < 20 * keys; i++) {
      String key = "key-" + (100 + (i < keys ? i : random.nextInt(keys)));
      assertTrue(map.put(key, "v".repeat(100), EntryAttributes.NONE));
      if (i % 7 == 0) {
        map.work();
        assertFalse(map.journal().isFailing());
      }
    }
    JournalStats stats = map.journal().stats();
    long written = stats.appendedBytes() - stats.carriedBytes();
    assertTrue(stats.appendedBytes() <= 2.5 * written, stats::toString);
  }

  @Test
  void fileSize_ofSmallAndLargeStores_isAPartOfTheLiveBytes() {
    JournalSettings settings = new JournalSettings(Fsync.NONE, 1000, 100, 1000, 0);
    assertEquals(100, settings.fileBytes(0));
    assertEquals(500, settings.fileBytes(4000));
    assertEquals(1000, settings.fileBytes(1 << 20));
  }

  /** A lookup is the largest part of the cleaner's time. */
  @Test
  void recordsThatPutsReplaced_areNotLookedUp() throws IOException {
    JournaledMap map = new JournaledMap(disk, Fsync.NONE, 20_000);
    for (int i = 0; i < 5_000; i++) {
      assertTrue(map.put("key-" + i % 1000, "v".repeat(400), EntryAttributes.NONE));
      map.work();
    }
    assertFalse(disk.exists(JournalLayout.fileName(1)));
    assertEquals(0, map.lookups());
    assertEquals(map.entries(), new JournaledMap(disk, Fsync.NONE, 20_000).entries());
  }
}
