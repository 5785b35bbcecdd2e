package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.journal.JournaledMap.Entry;
import dev.isogrid.journal.JournaledMap.State;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs a journal on a disk that fails and loses power, and compares what is read afterwards with
 * what was written: it must be what was there after one of the writes, and all that was forced must
 * be in it. {@code -Dseed=N} runs one seed.
 */
class JournalSimulationTest {
  private static final int SEEDS = 200;
  private static final int SEEDS_DEEP = 10_000;
  private static final int LIVES = 5;
  private static final int OPERATIONS = 60;

  @Test
  void anyWrites_powerLostAnywhere_recoversAPrefixWithAllThatWasForced() {
    Integer seed = Integer.getInteger("seed");
    for (int i = seed == null ? 0 : seed; i < (seed == null ? SEEDS : seed + 1); i++) {
      run(i);
    }
  }

  @Test
  @Tag("deep")
  void anyWrites_powerLostAnywhere_recovers_manySeeds() {
    for (int seed = SEEDS; seed < SEEDS_DEEP; seed++) {
      run(seed);
    }
  }

  private static void run(int seed) {
    try {
      live(seed);
    } catch (IOException | RuntimeException failure) {
      throw new AssertionError("seed=" + seed, failure);
    }
  }

  private static void live(int seed) throws IOException {
    Random random = new Random(seed);
    SimulatedDisk disk = new SimulatedDisk(random);
    Fsync fsync = List.of(Fsync.values()).get(random.nextInt(3));
    long fileBytes = 300L + random.nextInt(3000);
    List<State> states = List.of(new State(0, Map.of()));
    long forced = 0;
    for (int life = 0; life < LIVES; life++) {
      JournaledMap map = open(disk, fsync, fileBytes, random, states, forced, seed);
      live(map, disk, random);
      states = map.states();
      forced = map.journal().stats().forcedBytes();
      if (random.nextInt(4) == 0) {
        disk.killProcess();
      } else {
        disk.losePower();
      }
    }
    check(new JournaledMap(disk, fsync, fileBytes), states, forced, seed);
  }

  /** Opens the journal; power may be lost meanwhile, again and again. */
  // tidy: all that the checks compare
  private static JournaledMap open(
      SimulatedDisk disk,
      Fsync fsync,
      long fileBytes,
      Random random,
      List<State> states,
      long forced,
      int seed)
      throws IOException {
    while (random.nextInt(3) == 0) {
      disk.losePowerAt(1 + random.nextInt(20));
      try {
        check(new JournaledMap(disk, fsync, fileBytes), states, forced, seed);
      } catch (SimulatedDisk.PowerLoss _) {
        // it is opened again below
      }
      disk.losePower();
    }
    JournaledMap map = new JournaledMap(disk, fsync, fileBytes);
    check(map, states, forced, seed);
    return map;
  }

  private static void check(JournaledMap map, List<State> states, long forced, int seed) {
    boolean isPrefix =
        states.stream()
            .filter(state -> isKept(state, states, forced))
            .anyMatch(state -> state.entries().equals(map.entries()));
    assertTrue(isPrefix, () -> "seed=" + seed + ", found=" + map.entries().keySet());
  }

  /** Whether a state has all that was forced. */
  private static boolean isKept(State state, List<State> states, long forced) {
    int next = states.indexOf(state) + 1;
    return next == states.size() || states.get(next).position() > forced;
  }

  private static void live(JournaledMap map, SimulatedDisk disk, Random random) {
    if (random.nextInt(4) > 0) {
      disk.losePowerAt(1 + random.nextInt(100));
    }
    if (random.nextInt(3) == 0) {
      disk.failAt(0.3);
    }
    if (random.nextInt(5) == 0) {
      disk.limit(disk.bytes() + random.nextInt(2000));
    }
    try {
      for (int i = 0; i < OPERATIONS; i++) {
        write(map, random);
        if (random.nextInt(3) == 0) {
          map.work();
        }
        if (random.nextInt(10) == 0) {
          map.tick();
        }
      }
      disk.failAt(0);
      disk.limit(Long.MAX_VALUE);
      finish(map);
    } catch (SimulatedDisk.PowerLoss _) {
      // as it should
    }
  }

  /** With a disk that works again, all is forced in the end. */
  private static void finish(JournaledMap map) {
    for (int i = 0; i < 4; i++) {
      map.work();
      map.tick();
    }
    map.work();
    assertFalse(map.journal().isFailing());
    Fsync fsync = map.fsync();
    JournalStats stats = map.journal().stats();
    if (fsync != Fsync.NONE) {
      assertEquals(stats.appendedBytes(), stats.forcedBytes());
    }
  }

  private static void write(JournaledMap map, Random random) {
    String key = "key-" + random.nextInt(12);
    int kind = random.nextInt(20);
    if (kind == 0) {
      map.clear(random.nextInt(JournaledMap.SEGMENTS));
    } else if (kind < 4) {
      map.remove(key);
    } else {
      int length = random.nextInt(15) == 0 ? 4000 : random.nextInt(200);
      EntryAttributes attributes =
          random.nextBoolean()
              ? EntryAttributes.NONE
              : new EntryAttributes(random.nextLong(1 << 30), 60_000, -1, 7, "text/plain");
      map.put(key, "v".repeat(length), attributes);
    }
  }

  @Test
  void overwrites_forLong_stayWithinTheBounds() throws IOException {
    Random random = new Random(7);
    SimulatedDisk disk = new SimulatedDisk(random);
    long fileBytes = 4000;
    JournaledMap map = new JournaledMap(disk, Fsync.EACH, fileBytes);
    for (int i = 0; i < 200; i++) { // half of it is never written again
      map.put("cold-" + i, "c".repeat(100), EntryAttributes.NONE);
    }
    for (int i = 0; i < 20_000; i++) {
      map.put("hot-" + random.nextInt(200), "h".repeat(100), EntryAttributes.NONE);
      map.work();
      JournalStats stats = map.journal().stats();
      assertTrue(disk.bytes() <= 2.2 * stats.liveBytes() + 4 * fileBytes, () -> "disk: " + stats);
    }
    JournalStats stats = map.journal().stats();
    long written = stats.appendedBytes() - stats.carriedBytes();
    assertTrue(stats.carriedBytes() > 0, stats::toString);
    assertTrue(stats.carriedBytes() <= written, stats::toString);
    Map<String, Entry> before = Map.copyOf(map.entries());
    disk.losePower();
    assertEquals(before, new JournaledMap(disk, Fsync.EACH, fileBytes).entries());
  }
}
