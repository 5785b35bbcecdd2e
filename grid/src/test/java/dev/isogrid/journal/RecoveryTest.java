package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.journal.JournaledMap.Entry;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final long FILE_BYTES = 2000;

  /** Places between two damaged bytes; no divisor of the length of a field or record. */
  private static final int STRIDE = 7;

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));

  private JournaledMap open() throws IOException {
    return new JournaledMap(disk, Fsync.EACH, FILE_BYTES);
  }

  private static void fill(JournaledMap map) {
    for (int i = 0; i < 60; i++) {
      map.put("key-" + i, "v".repeat(i), EntryAttributes.NONE);
      map.work();
    }
  }

  private static void close(JournaledMap map) {
    Thread closing = Thread.ofVirtual().start(map.journal()::close);
    while (closing.isAlive()) {
      map.work();
      Thread.onSpinWait();
    }
  }

  @Test
  void open_afterCloseAndAfterKill_hasEntriesVersionsAndTimesAndALaterEpoch() throws IOException {
    JournaledMap first = open();
    fill(first);
    first.put("mortal", "m", new EntryAttributes(1_000, 2_000, 500, 3, "text/plain"));
    first.remove("key-3");
    first.work();
    close(first);

    JournaledMap second = open();
    assertEquals(first.entries(), second.entries());
    assertTrue(second.epoch() > first.epoch());
    second.put("key-4", "other", EntryAttributes.NONE);
    second.work();
    disk.killProcess();

    assertEquals(second.entries(), open().entries());
  }

  @Test
  void damage_anywhereInAClosedJournal_isRefusedOrLosesNothing() throws IOException {
    JournaledMap map = open();
    fill(map);
    close(map);
    Map<String, Entry> entries = map.entries();

    int refused = 0;
    for (String name : disk.names()) {
      int length = disk.content(name).length;
      for (int offset = 0; offset < length; offset += STRIDE) {
        int bit = disk.damage(name, offset);
        try {
          assertEquals(entries, new JournaledMap(disk.copy(), Fsync.EACH, FILE_BYTES).entries());
        } catch (IOException refusal) {
          assertTrue(String.valueOf(refusal.getMessage()).contains(name), refusal::getMessage);
          refused++;
        }
        disk.flip(name, offset, bit);
      }
    }
    assertTrue(refused > 100, "refused: " + refused);
  }

  /** With each write forced, all that a killed process leaves was forced, up to the last byte. */
  @Test
  void damage_anywhereInTheJournalOfAKilledProcess_isRefusedOrLosesNothing() throws IOException {
    JournaledMap map = open();
    fill(map);
    Map<String, Entry> entries = Map.copyOf(map.entries());

    int refused = 0;
    for (String name : disk.names()) {
      for (int offset = 0; offset < disk.content(name).length; offset += 5) {
        SimulatedDisk copy = disk.copy();
        copy.damage(name, offset);
        try {
          Map<String, Entry> found = new JournaledMap(copy, Fsync.EACH, FILE_BYTES).entries();
          assertTrue(entries.equals(found), name + " at " + offset + ": " + found.keySet());
        } catch (DamagedJournalException refusal) {
          assertTrue(String.valueOf(refusal.getMessage()).contains(name), refusal::getMessage);
          refused++;
        }
      }
    }
    assertTrue(refused > 500, "refused: " + refused);
  }

  /** Records that no force covered may be lost, but neither silently nor for good. */
  @Test
  void damage_inWhatWasNotForced_keepsTheBytesBehindIt() throws IOException {
    JournaledMap map = new JournaledMap(disk, Fsync.NONE, 1 << 20);
    fill(map);
    String name = JournalLayout.fileName(1);
    byte[] content = disk.content(name);
    disk.damage(name, content.length / 2);

    JournaledMap after = new JournaledMap(disk, Fsync.NONE, 1 << 20);
    assertTrue(after.entries().size() < 60, "entries: " + after.entries().size());
    byte[] cut = disk.content("cut-0000000000000001.log");
    int from = content.length - cut.length;
    assertTrue(from <= content.length / 2, "from " + from);
    assertArrayEquals(
        Arrays.copyOfRange(content, content.length / 2 + 1, content.length),
        Arrays.copyOfRange(cut, content.length / 2 + 1 - from, cut.length));
  }

  @Test
  void writeOfSeveral_cutOffAnywhere_isThereAsAWholeOrNotAtAll() throws IOException {
    JournaledMap map = open();
    map.put("a", "1", EntryAttributes.NONE);
    map.work();
    String name = JournalLayout.fileName(1);
    int first = disk.zerosBegin(name);
    map.putTogether(0, List.of("x", "y", "z"), "together");
    map.work();
    Map<String, Entry> all = Map.copyOf(map.entries());
    Map<String, Entry> without = Map.of("a", map.entries().get("a"));
    int length = disk.zerosBegin(name);
    Set<Integer> sizes = new TreeSet<>();
    for (int cut = length; cut >= first; cut--) {
      SimulatedDisk copy = disk.copy();
      copy.truncate(name, cut);
      JournaledMap before = open(copy);
      Map<String, Entry> entries = Map.copyOf(before.entries());
      sizes.add(entries.size());
      assertTrue(entries.equals(all) || entries.equals(without), "cut at " + cut + ": " + entries);
      // Later writes do not complete it.
      before.putTogether(0, List.of("u", "v"), "later");
      before.put("y", "last", EntryAttributes.NONE);
      before.work();
      assertEquals(before.entries(), open(copy).entries(), "cut at " + cut);
    }
    assertEquals(Set.of(1, 4), sizes);
  }

  private static JournaledMap open(SimulatedDisk disk) throws IOException {
    return new JournaledMap(disk, Fsync.EACH, FILE_BYTES);
  }

  @Test
  void damage_inTheMiddle_namesFileAndOffset() throws IOException {
    JournaledMap map = open();
    fill(map);
    String first = JournalLayout.fileName(1);
    disk.damage(first, 500);

    DamagedJournalException refusal = assertThrows(DamagedJournalException.class, this::open);
    assertTrue(String.valueOf(refusal.getMessage()).contains(first), refusal::getMessage);
    assertTrue(refusal.offset() > 400 && refusal.offset() <= 500, refusal::getMessage);
  }

  @Test
  void files_oneMissing_isRefused() throws IOException {
    JournaledMap map = open();
    fill(map);
    close(map);
    int count = disk.names().size();
    assertTrue(count > 2, "files: " + count);

    for (int number = 1; number < count; number++) {
      SimulatedDisk copy = disk.copy();
      String name = JournalLayout.fileName(number);
      copy.delete(name);
      IOException refusal =
          assertThrows(IOException.class, () -> new JournaledMap(copy, Fsync.EACH, FILE_BYTES));
      assertTrue(String.valueOf(refusal.getMessage()).contains(name), refusal::getMessage);
    }
  }

  @Test
  void open_byAnotherCache_isRefused() throws IOException {
    fill(open());
    for (JournalScope other :
        new JournalScope[] {
          new JournalScope("other", "bytes", JournaledMap.SEGMENTS),
          new JournalScope("orders", "text", JournaledMap.SEGMENTS),
          new JournalScope("orders", "bytes", JournaledMap.SEGMENTS + 1)
        }) {
      IOException refusal =
          assertThrows(
              IOException.class,
              () -> new JournaledMap(disk, Fsync.EACH, FILE_BYTES, other, false));
      assertTrue(String.valueOf(refusal.getMessage()).contains("orders") || other.segments() == 4);
    }
  }

  @Test
  void purge_powerLostAtAnyStep_hasAllOrNothing() throws IOException {
    for (int step = 1; step < 40; step++) {
      SimulatedDisk each = new SimulatedDisk(new Random(step));
      JournaledMap map = new JournaledMap(each, Fsync.EACH, FILE_BYTES);
      fill(map);
      Map<String, Entry> before = Map.copyOf(map.entries());
      each.losePowerAt(step);
      boolean isPurged = false;
      try {
        map = new JournaledMap(each, Fsync.EACH, FILE_BYTES, JournaledMap.SCOPE, true);
        assertTrue(map.entries().isEmpty());
        isPurged = true;
      } catch (SimulatedDisk.PowerLoss _) {
        // looked at below
      }
      each.losePower();
      Map<String, Entry> after = new JournaledMap(each, Fsync.EACH, FILE_BYTES).entries();
      assertTrue(after.isEmpty() || (!isPurged && after.equals(before)), "step " + step);
    }
  }

  @Test
  void fullDisk_refusesWritesUntilThereIsRoom_andLosesNothing() throws IOException {
    JournaledMap map = new JournaledMap(disk, Fsync.INTERVAL, FILE_BYTES);
    map.put("before", "b", EntryAttributes.NONE);
    map.work();
    disk.limit(disk.bytes());
    map.put("acknowledged", "a", EntryAttributes.NONE);
    map.work();

    assertTrue(map.journal().isFailing());
    assertFalse(map.put("refused", "r", EntryAttributes.NONE));
    assertEquals(2, map.entries().size());

    disk.limit(Long.MAX_VALUE);
    map.tick();
    map.work();
    assertTrue(map.put("after", "a", EntryAttributes.NONE));
    map.tick();
    map.work();
    disk.losePower();
    assertEquals(map.entries(), open().entries());
  }

  @Test
  void await_diskFails_saysThatNobodyKnows() throws IOException {
    JournaledMap map = open();
    disk.limit(disk.bytes());
    map.put("key", "v", EntryAttributes.NONE);
    long position = map.journal().stats().appendedBytes();
    map.work();

    assertThrows(IndeterminateGridException.class, () -> map.journal().await(position));

    disk.limit(Long.MAX_VALUE);
    map.tick();
    map.work();
    map.journal().await(position);
  }
}
