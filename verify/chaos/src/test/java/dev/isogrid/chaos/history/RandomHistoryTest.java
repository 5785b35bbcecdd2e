package dev.isogrid.chaos.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.chaos.history.Operation.Outcome;
import dev.isogrid.chaos.history.Verdict.Explained;
import dev.isogrid.chaos.history.Verdict.Unexplained;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Histories made at random; {@code -Dseed=N} replays a run, {@code -Dhistories=N} is its length.
 */
class RandomHistoryTest {
  private static final int SMALL_HISTORIES = Integer.getInteger("histories", 30_000);
  private static final int KEYS = 200;
  private static final int OPERATIONS_A_KEY = 500;
  private static final Duration CHECK_MAX = Duration.ofSeconds(60);

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void check_ofSmallHistories_agreesWithTryingEveryOrder() {
    MadeHistory source = new MadeHistory(random.split(), 3, 0.2);
    int unexplained = 0;
    for (int i = 0; i < SMALL_HISTORIES; i++) {
      List<Operation> operations = source.make("k", 1 + random.nextInt(6));
      if (random.nextInt(3) != 0) {
        changeOneResult(operations);
      }
      boolean expected = BruteForce.explains(operations);
      Verdict verdict = KeyCheck.check(operations);
      assertEquals(
          expected, verdict instanceof Explained, () -> "seed=" + seed + "\n" + operations);
      if (verdict instanceof Unexplained found) {
        unexplained++;
        assertFalse(BruteForce.explains(found.core()), () -> "seed=" + seed + "\n" + found);
      }
    }
    assertTrue(unexplained > SMALL_HISTORIES / 20, "unexplained=" + unexplained);
  }

  private void changeOneResult(List<Operation> operations) {
    int index = random.nextInt(operations.size());
    Operation o = operations.get(index);
    if (o.outcome() != Outcome.DONE) {
      return;
    }
    boolean isFlag = o.kind() == Kind.REPLACE_IF || o.kind() == Kind.REMOVE_IF;
    long result =
        isFlag ? 1 - o.result() : operations.get(random.nextInt(operations.size())).argument();
    operations.set(
        index,
        new Operation(
            o.client(),
            o.kind(),
            o.key(),
            o.argument(),
            o.expected(),
            o.calledNanos(),
            o.endedNanos(),
            o.outcome(),
            result,
            0));
  }

  @Test
  void check_of100000Operations_isQuick() {
    MadeHistory source = new MadeHistory(random.split(), 8, 0.02);
    Map<String, List<Operation>> histories = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      histories.put(key, new ArrayList<>(source.make(key, OPERATIONS_A_KEY)));
    }
    History.Result result = assertTimeoutPreemptively(CHECK_MAX, () -> History.check(histories));
    assertEquals(Map.of(), result.problems(), () -> "seed=" + seed);
    assertEquals(KEYS, result.keys());
    assertTrue(result.count(Outcome.UNKNOWN) > 0);
  }
}
