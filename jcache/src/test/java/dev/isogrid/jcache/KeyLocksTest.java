package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeyLocksTest {
  private static final int ROUNDS = 2_000;

  private final KeyLocks<String> locks = new KeyLocks<>();

  @Test
  void locked_withinItself_runsAndLeavesNoLock() {
    int result = locks.locked("a", () -> locks.locked("a", locks::size));

    assertEquals(1, result);
    assertEquals(0, locks.size());
  }

  @Test
  void locked_whenActionThrows_leavesNoLock() {
    try {
      locks.locked(
          List.of("a", "b"),
          () -> {
            throw new IllegalStateException("meant");
          });
    } catch (IllegalStateException e) {
      assertEquals("meant", e.getMessage());
    }
    assertEquals(0, locks.size());
  }

  @Test
  void locked_ofManyKeysInEachOrder_neverWaitsForEver() throws Exception {
    int[] count = new int[1]; // guarded by: the lock of "b"
    List<List<String>> orders =
        List.of(List.of("a", "b", "c"), List.of("c", "b", "a"), List.of("b"), List.of("b", "a"));
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (List<String> keys : orders) {
        all.add(
            executor.submit(() -> {
              for (int i = 0; i < ROUNDS; i++) {
                locks.locked(keys, () -> count[0]++);
              }
            }));
      }
      for (Future<?> each : all) {
        each.get(1, TimeUnit.MINUTES);
      }
    }
    assertEquals(ROUNDS * orders.size(), count[0]);
    assertEquals(0, locks.size());
  }
}
