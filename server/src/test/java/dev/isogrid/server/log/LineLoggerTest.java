package dev.isogrid.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineLoggerTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final LogTarget target = new LogTarget(stream());
  private final System.Logger log = new LineLogger("a.b", Level.INFO, target);

  private PrintStream stream() {
    return new PrintStream(bytes, false, StandardCharsets.UTF_8);
  }

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void log_message_isOneLineOfTimeLevelNodeLoggerMessage() {
    target.node("node-a");
    log.log(Level.INFO, "hello {0}");
    assertTrue(
        lines()
            .getFirst()
            .matches(
                "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z "
                    + "INFO \\[node-a] a\\.b hello \\{0}"),
        lines().getFirst());
  }

  @Test
  void log_parameters_arePutIn() {
    log.log(Level.WARNING, "{0} of {1}", 1, "two");
    assertTrue(lines().getFirst().endsWith(" WARNING [-] a.b 1 of two"));
  }

  @Test
  void log_controlCharacters_cannotForgeALine() {
    log.log(Level.INFO, "a\r\n2026-01-01T00:00:00.000Z ERROR b\u2028c");
    assertEquals(1, lines().size());
    assertTrue(
        lines().getFirst().endsWith("a\\r\\n2026-01-01T00:00:00.000Z ERROR b\\u2028c"),
        lines().getFirst());
  }

  @Test
  void log_thrown_isTracedAtErrorOnly() {
    Exception thrown = new Exception("reason\nline");
    log.log(Level.WARNING, "failed", thrown);
    assertEquals(1, lines().size());
    assertTrue(lines().getFirst().endsWith("failed: java.lang.Exception: reason\\nline"));
    log.log(Level.ERROR, "failed", thrown);
    assertTrue(lines().stream().anyMatch(line -> line.startsWith("\tat dev.isogrid")));
  }

  @Test
  void log_controlCharacters_inAStackTrace_cannotForgeALine() {
    String forged = "x\r\n2026-01-01T00:00:00.000Z INFO a.b\u0085\u001b[2J\u202eforged";
    Exception cause = new IllegalStateException(forged);
    Exception thrown = new Exception(forged, cause);
    thrown.addSuppressed(new Exception(forged));
    log.log(Level.ERROR, "failed", thrown);
    List<String> lines = List.of(bytes.toString(StandardCharsets.UTF_8).split("[\n\r\u0085]"));
    assertTrue(lines.getFirst().endsWith(" ERROR [-] a.b failed"), lines.getFirst());
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.startsWith("\t"), line);
      assertFalse(line.substring(1).chars().anyMatch(c -> c != '\t' && c < ' '), line);
    }
    String escaped = "x\\r\\n2026-01-01T00:00:00.000Z INFO a.b\\u0085\\u001b[2J\\u202eforged";
    assertTrue(lines.contains("\tjava.lang.Exception: " + escaped), () -> lines.toString());
    assertTrue(lines.contains("\tSuppressed: java.lang.Exception: " + escaped));
    assertTrue(lines.contains("\tCaused by: java.lang.IllegalStateException: " + escaped));
  }

  @Test
  void log_belowThreshold_isNotLogged() {
    log.log(Level.DEBUG, "quiet");
    log.log(Level.TRACE, () -> "quiet");
    assertEquals(List.of(), lines());
    assertFalse(log.isLoggable(Level.DEBUG));
  }

  @Test
  void getLogger_ofTheJdk_isBound() {
    var found = System.LoggerFinder.getLoggerFinder();
    assertInstanceOf(LineLoggers.class, found);
  }

  @Test
  void filled_nettyFormat_putsArgumentsIn() {
    assertEquals("a 1 b 2 c", NettyLogger.filled("a {} b {} c", 1, 2));
    assertEquals("a 1 b {}", NettyLogger.filled("a {} b {}", 1));
    assertEquals("a", NettyLogger.filled("a", 1));
  }
}
