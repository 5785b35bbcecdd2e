package dev.isogrid.server.hotrod;

import dev.isogrid.base.NanoClock;
import dev.isogrid.engine.SessionId;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The sessions of the clients of one server, within bounds. Thread-safe. */
final class ClientSessions {
  /*
   * A session without connections is kept for the time in which its client may come back and repeat
   * an operation. Sessions unused for longest go first, before their time if there are too many.
   * After such an early removal, no repetition of an operation begun before it may count as new:
   * its session may be the forgotten one.
   */

  /** The most sessions; a further client works without one. About 1 KiB each. */
  static final int SESSIONS_MAX = 10_000;

  /** The most bytes of all answers and large rings. */
  static final long BYTES_MAX = 32 << 20;

  /**
   * The time for which a session without connections is kept; clients give operations up much
   * sooner.
   */
  static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The transit time of a repetition that does not count as its age. */
  private static final long ON_WAY_MILLIS = 10_000;

  private final NanoClock clock;
  private final int sessionsMax;
  private final long startedNanos;
  private final AtomicLong bytes = new AtomicLong();
  private final Map<SessionId, ClientSession> sessions = new HashMap<>();

  /** The unused sessions, the one unused for longest first. */
  private final Map<SessionId, ClientSession> unused = new LinkedHashMap<>();

  /** The time of the last early removal of a session; null if there was none. */
  private volatile @Nullable Long forgotNanos;

  ClientSessions(NanoClock clock) {
    this(clock, SESSIONS_MAX);
  }

  ClientSessions(NanoClock clock, int sessionsMax) {
    this.clock = clock;
    this.sessionsMax = sessionsMax;
    this.startedNanos = clock.nanoTime();
  }

  long nowNanos() {
    return clock.nanoTime();
  }

  /** Whether one more client may have a session; otherwise the server need not offer sessions. */
  synchronized boolean hasRoom() {
    return sessions.size() < sessionsMax || !unused.isEmpty();
  }

  /**
   * Begins a connection's use of a session.
   *
   * @return null if there are too many
   */
  synchronized @Nullable ClientSession use(SessionId id) {
    ClientSession session = sessions.get(id);
    if (session == null) {
      forgetOld();
      if (sessions.size() >= sessionsMax && !tryForgetOne()) {
        return null;
      }
      session = new ClientSession(this);
      sessions.put(id, session);
    }
    unused.remove(id);
    session.users++;
    return session;
  }

  /** Ends a connection's use of a session. */
  synchronized void leave(SessionId id, ClientSession session) {
    session.users--;
    if (session.users == 0) {
      session.unusedNanos = nowNanos();
      unused.put(id, session);
    }
    forgetOld();
  }

  private void forgetOld() {
    Iterator<Map.Entry<SessionId, ClientSession>> each = unused.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<SessionId, ClientSession> eldest = each.next();
      if (nowNanos() - eldest.getValue().unusedNanos < KEPT_NANOS) {
        return;
      }
      each.remove();
      sessions.remove(eldest.getKey());
      eldest.getValue().clear();
    }
  }

  private boolean tryForgetOne() {
    Iterator<Map.Entry<SessionId, ClientSession>> each = unused.entrySet().iterator();
    if (!each.hasNext()) {
      return false;
    }
    Map.Entry<SessionId, ClientSession> eldest = each.next();
    each.remove();
    sessions.remove(eldest.getKey());
    eldest.getValue().clear();
    forgotNanos = nowNanos();
    return true;
  }

  /**
   * Whether this server certainly did not carry out a repetition that it does not know.
   *
   * @param ageMillis the time since the client began the operation
   * @param outlives whether its effect would survive a restart of the server
   */
  boolean isSurelyNew(long ageMillis, boolean outlives) {
    long limitMillis = TimeUnit.NANOSECONDS.toMillis(KEPT_NANOS) - ON_WAY_MILLIS;
    if (ageMillis >= limitMillis) {
      return false;
    }
    long sentNanos = nowNanos() - TimeUnit.MILLISECONDS.toNanos(ageMillis + ON_WAY_MILLIS);
    Long forgot = forgotNanos;
    return (forgot == null || sentNanos - forgot > 0)
        && (!outlives || sentNanos - startedNanos > 0);
  }

  /** Adds a change of the bytes of answers and rings. */
  void count(long more) {
    if (more != 0) {
      bytes.addAndGet(more);
    }
  }

  /** Whether answers and rings may take more. */
  boolean mayGrow() {
    return bytes.get() < BYTES_MAX;
  }

  /** The approximate bytes of answers and large rings. */
  long bytes() {
    return bytes.get();
  }

  /** The number of sessions. */
  synchronized int count() {
    return sessions.size();
  }
}
