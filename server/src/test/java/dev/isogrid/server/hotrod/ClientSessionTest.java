package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.SessionId;
import dev.isogrid.server.hotrod.ClientSession.Answer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The operations of its clients that a server remembers, and its answers about forgotten ones. */
class ClientSessionTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final Answer DONE = new Answer(0, new byte[] {1, 2, 3});
  private static final SessionId ONE = SessionId.ofClient(1, 1);
  private static final SessionId TWO = SessionId.ofClient(2, 2);
  private static final SessionId THREE = SessionId.ofClient(3, 3);

  private long nowNanos = 1000 * SECOND;
  private final ClientSessions sessions = new ClientSessions(() -> nowNanos, 2);
  private final ClientSession session = use(ONE);

  private ClientSession use(SessionId id) {
    return Objects.requireNonNull(sessions.use(id));
  }

  private void carryOut(long number, long doneUpTo) {
    assertNull(session.begin(number, doneUpTo));
    session.end(number, DONE);
  }

  @Test
  void operation_thatWasCarriedOut_givesItsAnswer() {
    assertNull(session.begin(1, 0));
    assertSame(ClientSession.BUSY, session.begin(1, 0));
    session.end(1, DONE);
    assertSame(DONE, session.begin(1, 0));
  }

  @Test
  void operation_thatWasCancelled_isNewAgain() {
    assertNull(session.begin(1, 0));
    session.cancel(1);
    assertNull(session.begin(1, 0));
  }

  @Test
  void operation_thatTheClientIsDoneWith_isUnknownAndTakesNoRoom() {
    carryOut(1, 0);
    assertEquals(3, sessions.bytes());
    carryOut(2, 1);
    assertEquals(3, sessions.bytes());
    assertSame(ClientSession.UNKNOWN, session.begin(1, 1));
    assertSame(DONE, session.begin(2, 1));
  }

  @Test
  void operation_ofALateFirstAttempt_isNotCarriedOutAgain() {
    carryOut(5, 4);
    carryOut(6, 5);
    assertSame(ClientSession.UNKNOWN, session.begin(5, 4));
  }

  @Test
  void operations_beyondTheRing_areUnknown() {
    for (long number = 1; number <= ClientSession.SLOTS_MAX + 2; number++) {
      carryOut(number, 0);
    }
    assertSame(ClientSession.UNKNOWN, session.begin(1, 0));
    assertSame(ClientSession.UNKNOWN, session.begin(2, 0));
    assertSame(DONE, session.begin(3, 0));
    assertSame(DONE, session.begin(ClientSession.SLOTS_MAX + 2, 0));
    assertNull(session.begin(3L * ClientSession.SLOTS_MAX, 3L * ClientSession.SLOTS_MAX - 1));
    assertTrue(sessions.bytes() < 20L * ClientSession.SLOTS_MAX, "bytes=" + sessions.bytes());
  }

  @Test
  void session_isTheSameForTwoConnections() {
    assertSame(session, use(ONE));
    sessions.leave(ONE, session);
    sessions.leave(ONE, session);
    assertSame(session, use(ONE));
  }

  @Test
  void sessions_inUse_areNotForgottenForOthers() {
    use(TWO);
    assertFalse(sessions.hasRoom());
    assertNull(sessions.use(THREE));
  }

  @Test
  void session_forgottenBeforeItsTime_makesOldRepetitionsUnknown() {
    carryOut(1, 0);
    sessions.leave(ONE, session);
    use(TWO);
    assertTrue(sessions.isSurelyNew(100_000, false));
    assertNotNull(sessions.use(THREE));
    assertEquals(2, sessions.count());
    assertEquals(0, sessions.bytes());
    nowNanos += 60 * SECOND;
    assertFalse(sessions.isSurelyNew(60_000, false));
    assertTrue(sessions.isSurelyNew(40_000, false));
  }

  @Test
  void session_forgottenInItsTime_makesNothingUnknown() {
    carryOut(1, 0);
    sessions.leave(ONE, session);
    nowNanos += ClientSessions.KEPT_NANOS;
    use(TWO);
    assertEquals(1, sessions.count());
    assertTrue(sessions.isSurelyNew(60_000, false));
    assertFalse(sessions.isSurelyNew(600_000, false), "as old as what is forgotten");
  }

  @Test
  void repetition_olderThanTheServer_isUnknownWhereEntriesOutliveIt() {
    nowNanos += 20 * SECOND;
    assertFalse(sessions.isSurelyNew(15_000, true));
    assertTrue(sessions.isSurelyNew(5_000, true));
    assertTrue(sessions.isSurelyNew(15_000, false));
  }
}
