package dev.isogrid.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LineEncoderTest {
  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("a.b");
  private final LineEncoder encoder = new LineEncoder();

  LineEncoderTest() {
    encoder.setContext(context);
  }

  private String encoded(
      Level level, String message, @Nullable Throwable thrown, Object... parameters) {
    LoggingEvent event =
        new LoggingEvent(Logger.class.getName(), logger, level, message, thrown, parameters);
    return new String(encoder.encode(event), StandardCharsets.UTF_8);
  }

  private List<String> lines(Level level, String message, @Nullable Throwable thrown) {
    return encoded(level, message, thrown).lines().toList();
  }

  @Test
  void encode_message_isOneLineOfTimeLevelNodeLoggerMessage() {
    context.putProperty("node", "node-a");
    String line = encoded(Level.INFO, "hello {0}", null);
    assertTrue(
        line.matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z "
                + "INFO \\[node-a] a\\.b hello \\{0}\n"),
        line);
  }

  @Test
  void encode_parameters_arePutIn() {
    String line = encoded(Level.WARN, "{} of {}", null, 1, "two");
    assertTrue(line.endsWith(" WARNING [-] a.b 1 of two\n"), line);
  }

  @Test
  void encode_controlCharacters_cannotForgeALine() {
    List<String> lines = lines(Level.INFO, "a\r\n2026-01-01T00:00:00.000Z ERROR b\u2028c", null);
    assertEquals(1, lines.size());
    assertTrue(
        lines.getFirst().endsWith("a\\r\\n2026-01-01T00:00:00.000Z ERROR b\\u2028c"),
        lines.getFirst());
  }

  @Test
  void encode_thrown_isTracedAtErrorOnly() {
    Exception thrown = new Exception("reason\nline");
    List<String> warning = lines(Level.WARN, "failed", thrown);
    assertEquals(1, warning.size());
    assertTrue(warning.getFirst().endsWith("failed: java.lang.Exception: reason\\nline"));
    List<String> error = lines(Level.ERROR, "failed", thrown);
    assertTrue(error.stream().anyMatch(line -> line.startsWith("\tat dev.isogrid")));
  }

  @Test
  void encode_controlCharacters_inAStackTrace_cannotForgeALine() {
    String forged = "x\r\n2026-01-01T00:00:00.000Z INFO a.b\u0085\u001b[2J\u202eforged";
    Exception cause = new IllegalStateException(forged);
    Exception thrown = new Exception(forged, cause);
    thrown.addSuppressed(new Exception(forged));
    List<String> lines = List.of(encoded(Level.ERROR, "failed", thrown).split("[\n\r\u0085]"));
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
  void encode_json_isAnObject() {
    context.putProperty("node", "n1");
    encoder.setJson(true);
    String line = encoded(Level.INFO, "say \"hi\"\n\\", null);
    assertTrue(
        line.matches(
            "[{]\"time\":\"20[^\"]+Z\",\"level\":\"INFO\",\"logger\":\"a.b\",\"node\":\"n1\","
                + "\"thread\":\"[^\"]+\",\"message\":\"say .\"hi.\".n..\"}\n"),
        line);
    String failed = encoded(Level.ERROR, "failed", new Exception("why"));
    assertTrue(failed.contains(",\"error\":\"java.lang.Exception: why\",\"trace\":\""), failed);
  }
}
