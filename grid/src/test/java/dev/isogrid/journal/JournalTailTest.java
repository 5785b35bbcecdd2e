package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JournalTailTest {
  private static final int SEEDS = 150;
  private static final int OPERATIONS = 120;
  private static final long FOREVER = Long.MAX_VALUE / 2;

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final AtomicLong nowMillis = new AtomicLong();

  private JournaledMap open(long retentionMillis) throws IOException {
    return open(disk, Fsync.EACH, retentionMillis);
  }

  private JournaledMap open(SimulatedDisk on, Fsync fsync, long retentionMillis)
      throws IOException {
    return new JournaledMap(
        on,
        new JournalSettings(fsync, 1000, 600, retentionMillis),
        JournaledMap.SCOPE,
        false,
        nowMillis::get);
  }

  private static String shown(JournalRecord record) {
    if (record.isClear()) {
      return "clear " + record.segment();
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    return record.isPut()
        ? key + "=" + new String(record.value(), StandardCharsets.UTF_8)
        : "-" + key;
  }

  private static List<String> read(JournalTail tail) {
    List<String> read = new ArrayList<>();
    for (JournalRecord next = tail.next(0); next != null; next = tail.next(0)) {
      read.add(shown(next));
    }
    return read;
  }

  private static void put(JournaledMap map, String key, String value) {
    assertTrue(map.put(key, value, EntryAttributes.NONE));
    map.work();
  }

  @Test
  void tail_fromAnyToken_goesOnBehindIt() throws IOException {
    JournaledMap map = open(FOREVER);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      put(map, "k" + i % 5, "v" + i);
      expected.add("k" + i % 5 + "=v" + i);
    }
    map.remove("k1");
    expected.add("-k1");
    map.clear(2);
    expected.add("clear 2");
    map.work();
    List<String> tokens = new ArrayList<>();
    try (JournalTail all = map.journal().tail(null)) {
      for (String change : expected) {
        tokens.add(all.token());
        JournalRecord next = all.next(0);
        assertEquals(change, next == null ? "none" : shown(next));
      }
      assertNull(all.next(0));
    }
    for (int i = 0; i < tokens.size(); i++) {
      try (JournalTail tail = map.journal().tail(tokens.get(i))) {
        assertEquals(expected.subList(i, expected.size()), read(tail));
      }
    }
  }

  @Test
  void tail_showsNothingThatIsNotForced() throws IOException {
    JournaledMap map = open(disk, Fsync.INTERVAL, FOREVER);
    JournalTail tail = map.journal().tail(null);
    put(map, "a", "1");
    assertNull(tail.next(0));
    map.tick();
    map.work();
    assertEquals(List.of("a=1"), read(tail));
  }

  @Test
  void tail_whileTheCleanerWorks_hasEachChangeOnce() throws IOException {
    JournaledMap map = open(0);
    JournalTail tail = map.journal().tail(null);
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    put(map, "stays", "s");
    expected.add("stays=s");
    for (int i = 0; i < 300; i++) {
      put(map, "k", "v" + i);
      expected.add("k=v" + i);
      found.addAll(read(tail));
    }
    assertTrue(map.journal().stats().carriedBytes() > 0, "the cleaner has worked");
    assertEquals(expected, found);
  }

  @Test
  void token_whoseFileIsCleaned_isRefused() throws IOException {
    JournaledMap map = open(0);
    JournalTail behind = map.journal().tail(null);
    String token = behind.token();
    for (int i = 0; i < 300; i++) {
      put(map, "k", "v" + i);
    }
    assertThrows(ChangesGoneException.class, () -> map.journal().tail(token));
    assertThrows(ChangesGoneException.class, () -> behind.next(0));
    JournalTail earliest = map.journal().tail(null);
    List<String> rest = read(earliest);
    assertEquals("k=v299", rest.getLast());
    assertTrue(rest.size() < 300);
  }

  @Test
  void retention_keepsFilesUntilItIsOver() throws IOException {
    JournaledMap map = open(1000);
    String token = map.journal().tail(null).token();
    for (int i = 0; i < 300; i++) {
      put(map, "k", "v" + i);
    }
    assertEquals(300, read(map.journal().tail(token)).size());
    nowMillis.set(1000);
    for (int i = 300; i < 400; i++) {
      put(map, "k", "v" + i);
    }
    assertThrows(ChangesGoneException.class, () -> map.journal().tail(token));
    assertTrue(map.journal().stats().fileBytes() < 10_000);
  }

  @Test
  void token_thatIsNoneOfTheJournal_isRefused() throws IOException {
    JournaledMap map = open(0);
    put(map, "a", "1");
    JournalTail tail = map.journal().tailFromNow();
    String token = tail.token();
    for (int i = 0; i < token.length(); i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String wrong = token.substring(0, i) + other + token.substring(i + 1);
      assertThrows(RuntimeException.class, () -> map.journal().tail(wrong), wrong);
    }
    assertThrows(InvalidRequestException.class, () -> map.journal().tail("?"));
    assertThrows(InvalidRequestException.class, () -> map.journal().tail(""));
    SimulatedDisk empty = new SimulatedDisk(new Random(2));
    JournaledMap older = open(empty, Fsync.EACH, 0);
    assertThrows(ChangesGoneException.class, () -> older.journal().tail(token));
  }

  @Test
  void anyWrites_powerLostAnywhere_changesAreThoseThatWereKept() throws IOException {
    Integer only = Integer.getInteger("seed");
    for (int seed = only == null ? 0 : only; seed < (only == null ? SEEDS : only + 1); seed++) {
      run(seed);
    }
  }

  /**
   * Follows by tokens; reader and writer are lost now and then, the writer with its last writes.
   */
  private void run(int seed) throws IOException {
    Random random = new Random(seed);
    SimulatedDisk simulated = new SimulatedDisk(random);
    Fsync fsync = List.of(Fsync.values()).get(random.nextInt(3));
    Follower follower = new Follower();
    List<String> history = new ArrayList<>();
    for (int life = 0; life < 4; life++) {
      JournaledMap map = open(simulated, fsync, FOREVER);
      // Records that were not forced may be lost: the journal itself reports how many are left.
      List<String> kept = read(map.journal().tail(null));
      assertEquals(history.subList(0, kept.size()), kept, "seed " + seed);
      assertTrue(kept.size() >= follower.changes.size(), "seed " + seed);
      history = kept;
      follower.lose();
      if (random.nextInt(4) > 0) {
        simulated.losePowerAt(1 + random.nextInt(200));
      }
      write(map, history, follower, random);
      simulated.losePower();
    }
    JournaledMap map = open(simulated, fsync, FOREVER);
    follower.lose();
    follower.follow(map);
    assertEquals(read(map.journal().tail(null)), follower.changes, "seed " + seed);
    assertFalse(follower.changes.isEmpty(), "seed " + seed);
  }

  private static void write(
      JournaledMap map, List<String> history, Follower follower, Random random) {
    try {
      for (int i = 0; i < OPERATIONS; i++) {
        String key = "k" + random.nextInt(6);
        if (random.nextInt(4) > 0) {
          history.add(key + "=v" + i);
          assertTrue(map.put(key, "v" + i, EntryAttributes.NONE));
        } else if (map.entries().containsKey(key)) {
          history.add("-" + key);
          assertTrue(map.remove(key));
        }
        if (random.nextInt(3) == 0) {
          map.work();
        }
        if (random.nextInt(10) == 0) {
          map.tick();
        }
        if (random.nextInt(5) == 0) {
          follower.follow(map);
        }
        if (random.nextInt(20) == 0) {
          follower.lose();
        }
      }
    } catch (SimulatedDisk.PowerLoss _) {
      // the next life goes on with what is left
    }
  }

  /** Reads changes, and remembers the token of the last one. */
  private static final class Follower {
    private final List<String> changes = new ArrayList<>();
    private @Nullable JournalTail tail;
    private @Nullable String token;

    void follow(JournaledMap map) {
      JournalTail open = tail == null ? map.journal().tail(token) : tail;
      tail = open;
      for (JournalRecord next = open.next(0); next != null; next = open.next(0)) {
        changes.add(shown(next));
        token = open.token();
      }
    }

    void lose() {
      tail = null;
    }
  }
}
