package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.LoggedLines;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditLogTest {
  private static final Origin ORIGIN =
      new Origin("/10.0.0.1:9", "10.0.0.1", "REST", false, false, null);

  private final LoggedLines logged = new LoggedLines();
  private final AuditLog audit = new AuditLog(true, () -> 0, logged);

  @Test
  void line_ofPlainValues_isWithoutQuotes() {
    audit.loggedIn("ada", ORIGIN, "PLAIN");
    audit.administered("ada", ORIGIN, "DELETE /rest/v2/caches/a", "204");
    assertEquals(
        List.of(
            "login: user=ada, from=/10.0.0.1:9, protocol=REST, mechanism=PLAIN, result=ok",
            "request: user=ada, from=/10.0.0.1:9, protocol=REST,"
                + " request=DELETE /rest/v2/caches/a, result=204"),
        logged.texts());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x, from=/10.0.0.9:1, result=ok",
        "x\", from=/10.0.0.9:1, result=\"ok",
        "x\\\", from=/10.0.0.9:1",
        "x\nlogin: user=ada",
        "x\r\nlogin: user=ada",
        "x\u2028login: user=ada",
        "x\u202eada",
        "",
        " ",
        "-=",
      })
  void value_thatLooksLikeFields_staysOneField(String text) {
    audit.loginFailed(text, ORIGIN, text, text);
    audit.refused(text, ORIGIN, text, text);
    audit.administered(text, ORIGIN, text, text);
    assertEquals(3, logged.texts().size());
    for (String line : logged.texts()) {
      assertEquals(1, line.lines().count(), line);
      String outside = line.replaceAll("\"(\\\\.|[^\"\\\\])*\"", "Q");
      String fields = outside.substring(outside.indexOf(' '));
      assertTrue(fields.startsWith(" user=Q, from=/10.0.0.1:9, protocol=REST, "), line);
      String rest = fields.substring(fields.indexOf("REST, ") + "REST, ".length());
      assertTrue(
          List.of(
                  "mechanism=Q, result=refused, reason=Q",
                  "request=Q, result=refused, needed=Q",
                  "request=Q, result=Q")
              .contains(rest),
          line);
      assertTrue(line.chars().noneMatch(c -> c < ' ' || c == 0x2028 || c == 0x202e), line);
    }
  }

  @Test
  void value_thatIsTooLong_isCut() {
    audit.loggedIn("x".repeat(5000), ORIGIN, "PLAIN");
    assertTrue(logged.texts().getFirst().length() < 300);
  }
}
