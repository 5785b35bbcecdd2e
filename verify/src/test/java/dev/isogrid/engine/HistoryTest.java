package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.engine.SimCommand.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private final History history = new History();

  private void op(
      Kind kind,
      @Nullable Object expected,
      @Nullable Object value,
      long called,
      long returned,
      @Nullable Object result) {
    history
        .call(new SimCommand(kind, "k", expected, value), List.of("k"), called)
        .done(new Outcome(Outcome.Kind.DONE, result), returned);
  }

  private void unknown(Kind kind, @Nullable Object value, long called, long given) {
    history
        .call(new SimCommand(kind, "k", null, value), List.of("k"), called)
        .done(new Outcome(Outcome.Kind.INDETERMINATE, null), given);
  }

  @Test
  void staleRead_whileTheWriteGoesOn_isAllowed() {
    op(Kind.SET, null, 1L, 0, 1, null);
    op(Kind.SET, null, 2L, 2, 9, null);
    op(Kind.GET, null, null, 3, 4, 2L);
    op(Kind.GET, null, null, 5, 6, 1L);
    op(Kind.GET, null, null, 10, 11, null);
    assertNull(history.staleRead());
  }

  @Test
  void staleRead_afterTheWriteWasAnswered_isFound() {
    op(Kind.SET, null, 1L, 0, 1, null);
    op(Kind.SET, null, 2L, 2, 9, null);
    op(Kind.GET, null, null, 10, 11, 1L);
    assertNotNull(history.staleRead());
  }

  @Test
  void staleRead_afterAWriteWhoseAnswerIsUnknown_isAllowed() {
    op(Kind.SET, null, 1L, 0, 1, null);
    unknown(Kind.SET, 2L, 2, 9);
    op(Kind.GET, null, null, 10, 11, 1L);
    assertNull(history.staleRead());
  }

  @Test
  void staleRead_ofAValueThatNobodyWrote_isFound() {
    op(Kind.SET, null, 1L, 0, 1, null);
    op(Kind.GET, null, null, 2, 3, 2L);
    assertNotNull(history.staleRead());
  }

  @Test
  void oneAfterTheOther_isExplained() {
    op(Kind.PUT, null, 1L, 0, 1, null);
    op(Kind.GET, null, null, 2, 3, 1L);
    op(Kind.REPLACE, 1L, 2L, 4, 5, true);
    op(Kind.REMOVE, null, null, 6, 7, 2L);
    op(Kind.GET, null, null, 8, 9, null);
    assertNull(history.problem());
  }

  @Test
  void staleRead_isNot() {
    op(Kind.PUT, null, 1L, 0, 1, null);
    op(Kind.PUT, null, 2L, 2, 3, 1L);
    op(Kind.GET, null, null, 4, 5, 1L);
    assertNotNull(history.problem());
  }

  @Test
  void readDuringWrite_mayBeOldOrNewButNotBack() {
    op(Kind.PUT, null, 1L, 0, 10, null);
    op(Kind.GET, null, null, 1, 2, null);
    op(Kind.GET, null, null, 3, 4, 1L);
    assertNull(history.problem());
    op(Kind.GET, null, null, 5, 6, null);
    assertNotNull(history.problem());
  }

  @Test
  void lostWrite_isNot() {
    op(Kind.PUT, null, 1L, 0, 1, null);
    op(Kind.PUT_IF_ABSENT, null, 2L, 2, 3, null);
    assertNotNull(history.problem());
  }

  @Test
  void sameResultTwice_isNot() {
    op(Kind.PUT, null, 1L, 0, 1, null);
    op(Kind.REMOVE, null, null, 2, 5, 1L);
    op(Kind.REMOVE, null, null, 3, 6, 1L);
    assertNotNull(history.problem());
  }

  @Test
  void unknownWrite_mayHappenLaterOrNever() {
    unknown(Kind.PUT, 1L, 0, 1);
    op(Kind.GET, null, null, 2, 3, null);
    assertNull(history.problem());
    op(Kind.GET, null, null, 4, 5, 1L);
    assertNull(history.problem());
    op(Kind.GET, null, null, 6, 7, null);
    assertNotNull(history.problem());
  }

  @Test
  void clear_removesEachKey() {
    history
        .call(new SimCommand(Kind.CLEAR, "scope", null, null), List.of("j", "k"), 2)
        .done(new Outcome(Outcome.Kind.DONE, null), 3);
    op(Kind.PUT, null, 1L, 0, 1, null);
    op(Kind.GET, null, null, 4, 5, null);
    assertNull(history.problem());
    op(Kind.GET, null, null, 6, 7, 1L);
    assertNotNull(history.problem());
  }

  @Test
  void failedOperation_didNotHappen() {
    history
        .call(new SimCommand(Kind.PUT, "k", null, 1L), List.of("k"), 0)
        .done(new Outcome(Outcome.Kind.FAILED, null), 1);
    op(Kind.GET, null, null, 2, 3, 1L);
    assertNotNull(history.problem());
    assertEquals(1, history.known());
  }
}
