package dev.isogrid.server.security;

import dev.isogrid.base.NanoClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What happened for reasons of security, one line each, to a logger of its own: {@code
 * dev.isogrid.audit}. Thread-safe.
 *
 * <pre>
 * login: user=ada, from=/10.0.0.1:41234, protocol=Hot Rod, mechanism=SCRAM-SHA-256, result=ok
 * request: user=ada, from=/10.0.0.1:41234, protocol=REST, request=DELETE /rest/v2/caches/a, ...
 * login: user="ada, from=/10.0.0.9", from=/10.0.0.1:41234, protocol=REST, ...
 * </pre>
 *
 * A value that could be taken for more than one, or for more than one line, is in quotes; in them a
 * quote or backslash has a backslash before it, and a character that can't be seen is written as
 * backslash, u and four hexadecimal digits. So no client makes up fields or lines.
 *
 * <p>Of what is refused, {@link #REFUSALS_MAX} lines a second are written, and the number of those
 * that were left out: nobody fills a disk by asking for what is refused.
 */
final class AuditLog {
  private static final String NAME = "dev.isogrid.audit";

  /** What clients send is shown up to this length. */
  private static final int SHOWN_MAX = 100;

  /** Enough for any honest mistake. */
  static final int REFUSALS_MAX = 100;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final boolean isOn;
  private final NanoClock clock;
  private final Logger log;

  private final LongAdder loginsFailed = new LongAdder();
  private final LongAdder requestsDenied = new LongAdder();

  // Guarded by this.
  private long secondNanos;
  private int refusals;

  AuditLog(boolean isOn, NanoClock clock) {
    this(isOn, clock, System.getLogger(NAME));
  }

  /** One that writes to another logger. */
  AuditLog(boolean isOn, NanoClock clock, Logger log) {
    this.log = log;
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
    write(Level.INFO, "login", user, origin, "mechanism=%s, result=ok".formatted(value(mechanism)));
  }

  /** Logins that failed since the start, whether they are written or not. */
  long loginsFailed() {
    return loginsFailed.sum();
  }

  /** Requests that were refused for want of a permission, whether they are written or not. */
  long requestsDenied() {
    return requestsDenied.sum();
  }

  void loginFailed(String user, Origin origin, String mechanism, String reason) {
    loginsFailed.increment();
    write(
        Level.WARNING,
        "login",
        user,
        origin,
        "mechanism=%s, result=refused, reason=%s".formatted(value(mechanism), value(reason)));
  }

  /** Notes that somebody has to log in again. */
  void ended(Identity identity, Origin origin) {
    write(
        Level.INFO,
        "session",
        identity.name(),
        origin,
        "mechanism=%s, result=ended".formatted(value(identity.mechanism())));
  }

  void refused(String user, Origin origin, String request, String needed) {
    requestsDenied.increment();
    write(
        Level.WARNING,
        "request",
        user,
        origin,
        "request=%s, result=refused, needed=%s".formatted(value(request), value(needed)));
  }

  void administered(String user, Origin origin, String request, String result) {
    write(
        Level.INFO,
        "request",
        user,
        origin,
        "request=%s, result=%s".formatted(value(request), value(result)));
  }

  private void write(Level level, String event, String user, Origin origin, String rest) {
    if (isOn && (level != Level.WARNING || hasRoom())) {
      log.log(
          level,
          () ->
              "%s: user=%s, from=%s, protocol=%s, %s"
                  .formatted(event, value(user), origin.address(), origin.protocol(), rest));
    }
  }

  /** A text of others as one value of a line: cut, and in quotes if need be. */
  static String value(String text) {
    String head = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    StringBuilder quoted = new StringBuilder(head.length() + 2).append('"');
    boolean isPlain = !head.isEmpty() && head.equals(head.strip());
    for (int i = 0; i < head.length(); i++) {
      char c = head.charAt(i);
      if (isHidden(c)) {
        quoted.append("\\u%04x".formatted((int) c));
        isPlain = false;
        continue;
      }
      if (c == '"' || c == '\\') {
        quoted.append('\\');
      }
      isPlain &= ",=\"\\".indexOf(c) < 0;
      quoted.append(c);
    }
    return isPlain ? head : quoted.append('"').toString();
  }

  /** Whether a character ends a line, changes the direction of writing, or is none that is seen. */
  private static boolean isHidden(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  /** Text of others as part of one line: cut, and without what ends a line or hides. */
  static String shown(String text) {
    String head = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    StringBuilder line = new StringBuilder(head.length());
    for (int i = 0; i < head.length(); i++) {
      char c = head.charAt(i);
      line.append(isHidden(c) ? '?' : c);
    }
    return line.toString();
  }
}
