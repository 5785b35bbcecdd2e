package dev.isogrid.server.security;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * What happened for reasons of security, one line each, to a logger of its own: {@code
 * dev.isogrid.audit}. Thread-safe.
 *
 * <pre>
 * login: user=ada, from=/10.0.0.1:41234, protocol=Hot Rod, mechanism=SCRAM-SHA-256, result=ok
 * request: user=ada, from=/10.0.0.1:41234, protocol=REST, request=DELETE /rest/v2/caches/a, ...
 * </pre>
 */
final class AuditLog {
  private static final Logger log = System.getLogger("dev.isogrid.audit");

  /** What clients send is shown up to this length. */
  private static final int SHOWN_MAX = 100;

  private final boolean isOn;

  AuditLog(boolean isOn) {
    this.isOn = isOn;
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

  void refused(String user, Origin origin, String request, int needed) {
    write(
        Level.WARNING,
        "request",
        user,
        origin,
        "request=%s, result=refused, needed=%s"
            .formatted(shown(request), Permission.names(needed)));
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
    if (isOn) {
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
