package dev.isogrid.chaos.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.chaos.history.Operation.Outcome;
import dev.isogrid.chaos.history.Verdict.Explained;
import dev.isogrid.chaos.history.Verdict.Unexplained;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyCheckTest {
  private static final long NONE = Operation.NONE;
  private static final long UNSEEN = Operation.UNSEEN;

  private final List<Operation> operations = new ArrayList<>();

  private void add(Kind kind, long argument, long expected, long called, long ended, long result) {
    operations.add(
        new Operation(0, kind, "k", argument, expected, called, ended, Outcome.DONE, result, 0));
  }

  private void get(long called, long ended, long result) {
    add(Kind.GET, NONE, NONE, called, ended, result);
  }

  private void put(long value, long called, long ended) {
    add(Kind.PUT, value, NONE, called, ended, UNSEEN);
  }

  private void ended(Outcome outcome, Kind kind, long argument, long called, long ended) {
    operations.add(new Operation(0, kind, "k", argument, NONE, called, ended, outcome, UNSEEN, 0));
  }

  private void assertExplained() {
    assertInstanceOf(Explained.class, KeyCheck.check(operations), operations::toString);
  }

  private Unexplained unexplained() {
    return assertInstanceOf(Unexplained.class, KeyCheck.check(operations), operations::toString);
  }

  @Test
  void check_ofNothing_explains() {
    assertExplained();
  }

  @Test
  void check_ofEachKindOneAfterTheOther_explains() {
    add(Kind.PUT_IF_ABSENT, 1, NONE, 0, 1, NONE);
    add(Kind.PUT_IF_ABSENT, 2, NONE, 2, 3, 1);
    get(4, 5, 1);
    add(Kind.REPLACE_IF, 3, 1, 6, 7, 1);
    add(Kind.REPLACE_IF, 4, 1, 8, 9, 0);
    add(Kind.REMOVE_IF, NONE, 1, 10, 11, 0);
    add(Kind.PUT, 5, NONE, 12, 13, 3);
    add(Kind.REMOVE_IF, NONE, 5, 14, 15, 1);
    add(Kind.REMOVE, NONE, NONE, 16, 17, NONE);
    put(6, 18, 19);
    add(Kind.REMOVE, NONE, NONE, 20, 21, 6);
    get(22, 23, NONE);
    assertExplained();
  }

  @Test
  void check_ofStaleRead_isUnexplained() {
    put(1, 0, 1);
    put(2, 2, 3);
    get(4, 5, 1);
    assertEquals(3, unexplained().core().size());
  }

  @Test
  void check_ofReadsDuringWrite_allowsOldThenNewButNotBack() {
    put(1, 0, 10);
    get(1, 2, NONE);
    get(3, 4, 1);
    assertExplained();
    get(5, 6, NONE);
    unexplained();
  }

  @Test
  void check_ofLostUpdate_isUnexplained() {
    put(1, 0, 1);
    add(Kind.REPLACE_IF, 2, 1, 2, 6, 1);
    add(Kind.REPLACE_IF, 3, 1, 3, 7, 1);
    unexplained();
  }

  @Test
  void check_ofLostWrite_isUnexplained() {
    put(1, 0, 1);
    get(2, 3, NONE);
    unexplained();
  }

  @Test
  void check_ofFailedConditionOnALostWrite_isUnexplained() {
    put(1, 0, 1);
    add(Kind.PUT_IF_ABSENT, 2, NONE, 2, 3, NONE);
    unexplained();
  }

  @Test
  void check_ofWriteThatComesBack_isUnexplained() {
    put(1, 0, 1);
    add(Kind.REMOVE, NONE, NONE, 2, 3, 1);
    get(4, 5, NONE);
    get(6, 7, 1);
    unexplained();
  }

  @Test
  void check_ofUnknownWriteAppliedTwice_isUnexplained() {
    ended(Outcome.UNKNOWN, Kind.PUT, 1, 0, 1);
    get(2, 3, 1);
    add(Kind.REMOVE, NONE, NONE, 4, 5, 1);
    get(6, 7, NONE);
    assertExplained();
    get(8, 9, 1);
    unexplained();
  }

  @Test
  void check_ofTokenTakenTwice_isUnexplained() {
    put(1, 0, 1);
    add(Kind.REMOVE, NONE, NONE, 2, 5, 1);
    add(Kind.REMOVE, NONE, NONE, 3, 6, 1);
    unexplained();
  }

  @Test
  void check_ofTokenTakenByNobody_isUnexplainedUnlessARemoveIsUnknown() {
    put(1, 0, 1);
    add(Kind.REMOVE, NONE, NONE, 2, 5, NONE);
    add(Kind.REMOVE, NONE, NONE, 3, 6, NONE);
    unexplained();
    ended(Outcome.UNKNOWN, Kind.REMOVE, NONE, 2, 9);
    assertExplained();
  }

  @Test
  void check_ofDirtyRead_isUnexplained() {
    put(1, 0, 1);
    ended(Outcome.UNKNOWN, Kind.PUT, 2, 2, 3);
    get(4, 5, 2);
    assertExplained();
    get(6, 7, 1);
    unexplained();
  }

  @Test
  void check_ofReadOfFailedWrite_isUnexplained() {
    ended(Outcome.FAILED, Kind.PUT, 1, 0, 1);
    get(2, 3, NONE);
    assertExplained();
    get(4, 5, 1);
    unexplained();
  }

  @Test
  void check_ofUnknownWrite_allowsItLateOnceOrNever() {
    put(1, 0, 1);
    ended(Outcome.UNKNOWN, Kind.PUT, 2, 2, 3);
    get(4, 5, 1);
    put(3, 6, 7);
    get(8, 9, 3);
    assertExplained();
    get(10, 11, 2);
    assertExplained();
    get(12, 13, 3);
    unexplained();
  }

  @Test
  void check_ofOldValueOfPut_isHeldToTheOrder() {
    put(1, 0, 1);
    add(Kind.PUT, 2, NONE, 2, 10, 3);
    add(Kind.PUT, 3, NONE, 2, 10, 1);
    assertExplained();
    add(Kind.PUT, 4, NONE, 11, 12, 3);
    unexplained();
  }

  @Test
  void check_ofVersionOfTwoValues_isUnexplained() {
    put(1, 0, 1);
    put(2, 4, 5);
    operations.add(new Operation(0, Kind.GET, "k", NONE, NONE, 2, 3, Outcome.DONE, 1, 77));
    operations.add(new Operation(0, Kind.GET, "k", NONE, NONE, 6, 7, Outcome.DONE, 2, 77));
    assertEquals("one version of two values", unexplained().reason());
  }

  @Test
  void check_ofValueWithTwoVersions_isUnexplained() {
    put(1, 0, 1);
    operations.add(new Operation(0, Kind.GET, "k", NONE, NONE, 2, 3, Outcome.DONE, 1, 77));
    operations.add(new Operation(0, Kind.GET, "k", NONE, NONE, 6, 7, Outcome.DONE, 1, 78));
    assertTrue(unexplained().reason().startsWith("two versions"));
  }

  @Test
  void check_ofLongHistoryWithOneStaleRead_showsLittle() {
    long now = 0;
    for (long value = 1; value <= 1000; value++) {
      put(value, now, now + 1);
      get(now + 2, now + 3, value == 700 ? 698 : value);
      now += 4;
    }
    Unexplained found = unexplained();
    assertTrue(found.core().size() <= 4, () -> found.core().toString());
    assertEquals(2000 - found.core().size(), found.left());
  }

  @Test
  void check_ofManyUnknownWritesAmongConcurrentOnes_isQuick() {
    long now = 0;
    for (long value = 1; value <= 3000; value += 3) {
      put(value, now, now + 10);
      add(Kind.PUT, value + 1, NONE, now + 1, now + 11, value);
      if (value % 5 == 0) {
        ended(Outcome.UNKNOWN, Kind.PUT, value + 2, now + 3, now + 4);
      }
      get(now + 12, now + 13, value % 10 == 0 ? value + 2 : value + 1);
      now += 20;
    }
    assertExplained();
    get(now, now + 1, 2);
    unexplained();
  }
}
