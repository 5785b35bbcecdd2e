package dev.isogrid.server.security;

import dev.isogrid.base.NanoClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * What happened for reasons of security, one line each, to a logger of its own: {@code
 * dev.isogrid.audit}. Thread-safe.
 *
 * <pre>
 * login: user=ada, from=/10.0.0.1:41234, protocol=Hot Rod, mechanism=SCRAM-SHA-256, result=ok
 * request: user=ada, from=/10.0.0.1:41234, protocol=REST, request=DELETE /rest/v2/caches/a, ...
 * </pre>
 *
 * Of what is refused, {@link #REFUSALS_MAX} lines a second are written, and the number of those
 * that were left out: nobody fills a disk by asking for what is refused.
 */
final class AuditLog {
  private static final Logger log = System.getLogger("dev.isogrid.audit");

  /** What clients send is shown up to this length. */
  private static final int SHOWN_MAX = 100;

  /** Enough for any honest mistake. */
  static final int REFUSALS_MAX = 100;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final boolean isOn;
  private final NanoClock clock;

  // Guarded by this.
  private long secondNanos;
  private int refusals;

  AuditLog(boolean isOn, NanoClock clock) {
    this.isOn = isOn;
    this.clock = clock;
    this.secondNanos = clock.nanoTime();
  }

  /** Whether one more refusal is written; tells before of those that were left out. */
  private boolean hasRoom() {
    int leftOut = 0;
    boolean hasRoom;
    synchronized (this) {
      long nowNanos = clock.nanoTime();
      if (nowNanos - secondNanos >= SECOND_NANOS) {
        leftOut = Math.max(0, refusals - REFUSALS_MAX);
        secondNanos = nowNanos;
        refusals = 0;
      }
      hasRoom = ++refusals <= REFUSALS_MAX;
    }
    if (leftOut > 0) {
      log.log(Level.WARNING, "refusals left out: count=" + leftOut);
    }
    return hasRoom;
  }

  void loggedIn(String user, Origin origin, String mechanism) {
    write(Level.INFO, "login", user, origin, "mechanism=%s, result=ok".formatted(mechanism));
  }

  void loginFailed(String user, Origin origin, String mechanism, String reason) {
    write(
        Level.WARNING,
        "login",
        user,
        origin,
        "mechanism=%s, result=refused, reason=%s".formatted(shown(mechanism), reason));
  }

  void refused(String user, Origin origin, String request, String needed) {
    write(
        Level.WARNING,
        "request",
        user,
        origin,
        "request=%s, result=refused, needed=%s".formatted(shown(request), needed));
  }

  void administered(String user, Origin origin, String request, String result) {
    write(
        Level.INFO,
        "request",
        user,
        origin,
        "request=%s, result=%s".formatted(shown(request), shown(result)));
  }

  private void write(Level level, String event, String user, Origin origin, String rest) {
    if (isOn && (level != Level.WARNING || hasRoom())) {
      log.log(
          level,
          () ->
              "%s: user=%s, from=%s, protocol=%s, %s"
                  .formatted(event, shown(user), origin.address(), origin.protocol(), rest));
    }
  }

  /** Text of others as part of one line: cut, and without what ends a line or hides. */
  static String shown(String text) {
    String head = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    StringBuilder line = new StringBuilder(head.length());
    for (int i = 0; i < head.length(); i++) {
      char c = head.charAt(i);
      boolean plain = !Character.isISOControl(c) && !Character.isSurrogate(c) && c != '\u2028';
      line.append(plain ? c : '?');
    }
    return line.toString();
  }
}
