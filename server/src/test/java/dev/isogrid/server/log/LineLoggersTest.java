package dev.isogrid.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineLoggersTest {
  private final LineLoggers loggers = new LineLoggers();

  private System.Logger logger(String name) {
    return loggers.getLogger(name, LineLoggersTest.class.getModule());
  }

  @Test
  void level_ofALogger_holdsForThoseBelow() {
    System.Logger before = logger("a.b.C");
    loggers.level("a.b", Level.DEBUG);
    assertTrue(before.isLoggable(Level.DEBUG));
    assertFalse(before.isLoggable(Level.TRACE));
    assertTrue(logger("a.b.D").isLoggable(Level.DEBUG));
    assertTrue(logger("a.b").isLoggable(Level.DEBUG));
    assertFalse(logger("a.bc").isLoggable(Level.DEBUG));
    loggers.level("a.b.C", Level.OFF);
    assertFalse(before.isLoggable(Level.ERROR));
    loggers.level("a", Level.TRACE);
    assertTrue(logger("a.x").isLoggable(Level.TRACE));
    assertFalse(logger("a.b.D").isLoggable(Level.TRACE));
  }

  @Test
  void removeLevel_ofALogger_givesItThatAbove() {
    loggers.level("a.b", Level.ERROR);
    System.Logger logger = logger("a.b.C");
    assertFalse(logger.isLoggable(Level.WARNING));
    assertTrue(loggers.removeLevel("a.b"));
    assertTrue(logger.isLoggable(Level.INFO));
    assertFalse(loggers.removeLevel("a.b"));
    assertFalse(loggers.removeLevel(LineLoggers.ROOT));
    loggers.level(LineLoggers.ROOT, Level.WARNING);
    assertFalse(logger.isLoggable(Level.INFO));
    assertEquals("{=WARNING}", loggers.levels().toString());
  }

  @Test
  void level_ofAName_isFoundInAnyCase() {
    assertEquals(Level.DEBUG, LineLoggers.level("debug"));
    assertEquals(Level.WARNING, LineLoggers.level("WARN"));
    assertNull(LineLoggers.level("loud"));
  }

  @Test
  void file_ofJson_hasAnObjectPerLine(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("log");
    loggers.choose(true, file, 1 << 20, 2);
    loggers.node("n1");
    assertEquals("FILE", loggers.targetName());
    logger("a.b").log(Level.INFO, "say \"hi\"\n\\");
    logger("a.b").log(Level.ERROR, "failed", new Exception("why"));
    List<String> lines = Files.readAllLines(file);
    assertEquals(2, lines.size());
    assertTrue(
        lines
            .getFirst()
            .matches(
                "[{]\"time\":\"20[^\"]+Z\",\"level\":\"INFO\",\"logger\":\"a.b\",\"node\":\"n1\","
                    + "\"thread\":\"[^\"]+\",\"message\":\"say .\"hi.\".n..\"}"),
        lines.getFirst());
    assertTrue(lines.getLast().contains(",\"error\":\"java.lang.Exception: why\",\"trace\":\""));
  }

  @Test
  void file_thatIsFull_makesRoomForANewOne(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("log");
    loggers.choose(false, file, 200, 3);
    for (int i = 0; i < 10; i++) {
      logger("a").log(Level.INFO, "line " + i + "x".repeat(100));
    }
    assertEquals(1, Files.readAllLines(file).size());
    assertTrue(Files.readString(file).contains("line 9"));
    assertTrue(Files.readString(folder.resolve("log.1")).contains("line 8"));
    assertTrue(Files.readString(folder.resolve("log.2")).contains("line 7"));
    assertFalse(Files.exists(folder.resolve("log.3")));
  }

  @Test
  void file_thatExists_isContinued(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("log");
    Files.writeString(file, "before\n");
    loggers.choose(false, file, 1000, 1);
    logger("a").log(Level.INFO, "after");
    assertEquals("before", Files.readAllLines(file).getFirst());
    assertEquals(2, Files.readAllLines(file).size());
  }

  @Test
  void foreignEvents_areLinesOfTheSameForm(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("log");
    loggers.choose(false, file, 1000, 1);
    ForeignHandler handler = new ForeignHandler(name -> (LineLogger) logger(name));
    LogRecord event = new LogRecord(java.util.logging.Level.WARNING, "lost {0}");
    event.setLoggerName("org.jgroups.Some");
    event.setParameters(new Object[] {"b"});
    handler.publish(event);
    LogRecord detail = new LogRecord(java.util.logging.Level.FINE, "detail");
    detail.setLoggerName("org.jgroups.Some");
    handler.publish(detail);
    LogRecord unnamed = new LogRecord(java.util.logging.Level.SEVERE, "own");
    unnamed.setSourceClassName("org.jgroups.Other");
    handler.publish(unnamed);
    List<String> lines = Files.readAllLines(file);
    assertEquals(2, lines.size());
    assertTrue(lines.getLast().endsWith("Z ERROR [-] org.jgroups.Other own"), lines.getLast());
    assertTrue(
        lines.getFirst().endsWith("Z WARNING [-] org.jgroups.Some lost b"), lines.getFirst());
  }
}
