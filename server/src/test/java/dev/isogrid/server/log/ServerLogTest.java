package dev.isogrid.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.logging.LogManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

class ServerLogTest {
  private final LoggerContext context = new LoggerContext();
  private final ServerLog log = new ServerLog(context);

  ServerLogTest() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    log.begin();
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private Logger logger(String name) {
    return context.getLogger(name);
  }

  @Test
  void level_ofALogger_holdsForThoseBelow() {
    Logger before = logger("a.b.C");
    log.level("a.b", Level.DEBUG);
    assertTrue(before.isDebugEnabled());
    assertFalse(before.isTraceEnabled());
    assertTrue(logger("a.b.D").isDebugEnabled());
    assertTrue(logger("a.b").isDebugEnabled());
    assertFalse(logger("a.bc").isDebugEnabled());
    log.level("a.b.C", Level.OFF);
    assertFalse(before.isErrorEnabled());
    log.level("a", Level.TRACE);
    assertTrue(logger("a.x").isTraceEnabled());
    assertFalse(logger("a.b.D").isTraceEnabled());
  }

  @Test
  void removeLevel_ofALogger_givesItThatAbove() {
    log.level("a.b", Level.ERROR);
    Logger logger = logger("a.b.C");
    assertFalse(logger.isWarnEnabled());
    assertTrue(log.removeLevel("a.b"));
    assertTrue(logger.isInfoEnabled());
    assertFalse(log.removeLevel("a.b"));
    assertFalse(log.removeLevel("unknown"));
    assertFalse(log.removeLevel(ServerLog.ROOT));
    log.level(ServerLog.ROOT, Level.WARNING);
    assertFalse(logger.isInfoEnabled());
    assertEquals("{=WARNING}", log.levels().toString());
  }

  @Test
  void level_everyOne_isListedAsItWasSet() {
    for (Level level : Level.values()) {
      log.level("a", level);
      Level listed = level == Level.ALL ? Level.TRACE : level; // Logback has nothing below
      assertEquals(listed, log.levels().get("a"));
    }
  }

  @Test
  void level_ofAName_isFoundInAnyCase() {
    assertEquals(Level.DEBUG, ServerLog.level("debug"));
    assertEquals(Level.WARNING, ServerLog.level("WARN"));
    assertNull(ServerLog.level("loud"));
  }

  @Test
  void file_ofJson_hasAnObjectPerLine(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("log");
    log.choose(true, file, 1 << 20, 2);
    log.node("n1");
    assertEquals(List.of("FILE"), log.appenders());
    logger("a.b").info("hello");
    logger("a.b").error("failed", new Exception("why"));
    List<String> lines = Files.readAllLines(file);
    assertEquals(2, lines.size());
    assertTrue(lines.getFirst().contains(",\"node\":\"n1\","), lines.getFirst());
    assertTrue(lines.getFirst().endsWith(",\"message\":\"hello\"}"), lines.getFirst());
  }

  @Test
  void file_thatIsFull_makesRoomForANewOne(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("a %d{yyyy} log");
    log.choose(false, file, 100, 3);
    for (int i = 0; i < 10; i++) {
      logger("a").info("line " + i + "x".repeat(100));
    }
    assertEquals(1, Files.readAllLines(file).size());
    assertTrue(Files.readString(file).contains("line 9"));
    assertTrue(Files.readString(folder.resolve("a %d{yyyy} log.1")).contains("line 8"));
    assertTrue(Files.readString(folder.resolve("a %d{yyyy} log.2")).contains("line 7"));
    assertFalse(Files.exists(folder.resolve("a %d{yyyy} log.3")));
  }

  @Test
  void file_theOnlyOne_isBegunAgain(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("log");
    log.choose(false, file, 100, 1);
    for (int i = 0; i < 4; i++) {
      logger("a").info("line " + i + "x".repeat(100));
    }
    assertEquals(1, Files.readAllLines(file).size());
    assertTrue(Files.readString(file).contains("line 3"));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void file_thatExists_isContinued(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("log");
    Files.writeString(file, "before\n");
    log.choose(false, file, 1000, 1);
    logger("a").info("after");
    assertEquals("before", Files.readAllLines(file).getFirst());
    assertEquals(2, Files.readAllLines(file).size());
  }

  @Test
  void file_thatCannotBeWritten_isRefused(@TempDir Path folder) {
    assertThrows(IOException.class, () -> log.choose(false, folder, 1000, 1));
    assertEquals(List.of("STDERR"), log.appenders());
  }

  @Test
  void configure_file_setsLevelsAndTargets(@TempDir Path folder) throws Exception {
    Path audit = folder.resolve("audit.log");
    Path file = folder.resolve("logback.xml");
    Files.writeString(
        file,
        """
        <configuration>
          <appender name="AUDIT" class="ch.qos.logback.core.FileAppender">
            <file>%s</file>
            <encoder class="dev.isogrid.server.log.LineEncoder"><json>true</json></encoder>
          </appender>
          <logger name="dev.isogrid.audit" level="INFO" additivity="false">
            <appender-ref ref="AUDIT"/>
          </logger>
          <root level="WARN"/>
        </configuration>
        """
            .formatted(audit));
    log.configure(file);
    log.node("n1");
    logger("dev.isogrid.audit").info("login");
    logger("dev.isogrid.other").error("other");
    List<String> lines = Files.readAllLines(audit);
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.getFirst().contains("\"node\":\"n1\""), lines.getFirst());
    assertEquals("{=WARNING, dev.isogrid.audit=INFO}", log.levels().toString());
    assertEquals(List.of("AUDIT"), log.appenders());
    assertEquals(List.of("AUDIT"), log.appenders("dev.isogrid.audit"));
    assertEquals(List.of(), log.appenders("dev.isogrid.other"));
  }

  @Test
  void configure_wrongFile_saysWhatIsWrong(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("logback.xml");
    assertThrows(NoSuchFileException.class, () -> log.configure(file));
    Files.writeString(
        file,
        "<configuration><appender name='A' class='no.Such'/>"
            + "<root><appender-ref ref='A'/></root></configuration>");
    IOException unknown = assertThrows(IOException.class, () -> log.configure(file));
    assertTrue(String.valueOf(unknown.getMessage()).contains("no.Such"), unknown.toString());
    assertEquals(List.of("STDERR"), log.appenders());
    Files.writeString(file, "<configuration>");
    assertThrows(IOException.class, () -> log.configure(file));
  }

  @Test
  void defaultLog_withoutAFile_writesToTheErrorOutput() {
    LoggerContext fresh = new LoggerContext();
    DefaultLog configurator = new DefaultLog();
    configurator.setContext(fresh);
    assertEquals(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY, configurator.configure(fresh));
    assertEquals(List.of("STDERR"), new ServerLog(fresh).appenders());
    assertEquals("{=INFO}", new ServerLog(fresh).levels().toString());
    fresh.stop();
  }

  @Test
  void loggers_ofTheJdk_writeHere() {
    ServerLog own = Objects.requireNonNull(ServerLog.ofProcess());
    String name = "test.of.bridges";
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    var logger =
        assertInstanceOf(ch.qos.logback.classic.Logger.class, LoggerFactory.getLogger(name));
    events.setContext(logger.getLoggerContext());
    events.start();
    logger.addAppender(events);
    logger.setAdditive(false);
    try {
      System.Logger jdks = System.getLogger(name);
      jdks.log(Level.WARNING, "{0} of {1}", 1, "two");
      jdks.log(Level.INFO, "plain {0}");
      jdks.log(Level.DEBUG, "quiet");
      own.level(name, Level.DEBUG);
      jdks.log(Level.DEBUG, "loud", new Exception("why"));
    } finally {
      own.removeLevel(name);
      logger.detachAppender(events);
    }
    assertEquals(
        List.of("1 of two", "plain {0}", "loud"),
        events.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
  }

  @Test
  void adoptForeign_javaUtilLogging_writesHere() throws IOException {
    ServerLog own = Objects.requireNonNull(ServerLog.ofProcess());
    String name = "test.of.foreign";
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    var logger =
        assertInstanceOf(ch.qos.logback.classic.Logger.class, LoggerFactory.getLogger(name));
    LoggerContext process = logger.getLoggerContext();
    List<LoggerContextListener> before = process.getCopyOfListenerList();
    events.setContext(process);
    events.start();
    logger.addAppender(events);
    logger.setAdditive(false);
    own.adoptForeign();
    try {
      var foreign = java.util.logging.Logger.getLogger(name);
      foreign.warning("first");
      foreign.fine("quiet");
      own.level(name, Level.DEBUG);
      foreign.fine("loud");
    } finally {
      SLF4JBridgeHandler.uninstall();
      LogManager.getLogManager().readConfiguration();
      process.getCopyOfListenerList().stream()
          .filter(listener -> !before.contains(listener))
          .forEach(process::removeListener);
      own.removeLevel(name);
      logger.detachAppender(events);
    }
    assertEquals(
        List.of("first", "loud"),
        events.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
  }
}
