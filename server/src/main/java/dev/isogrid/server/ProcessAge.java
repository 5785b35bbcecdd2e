package dev.isogrid.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The age of this process. */
final class ProcessAge {
  /** Clock ticks per second in files of /proc: the same on every Linux that Java runs on. */
  private static final int TICKS_PER_SECOND = 100;

  /**
   * The index of the start time among the fields after the process's name, the first of which is
   * the state.
   */
  private static final int START_FIELD = 19;

  private ProcessAge() {}

  /** The start of the JVM in milliseconds since 1970, if the process itself is older than that. */
  private static final String STARTED_PROPERTY = "isogrid.started";

  /**
   * The milliseconds since the process began, including the start of the JVM. On Linux to the
   * hundredth of a second; there the JDK's own figure is only exact to the second.
   */
  static long millis() {
    Long startedMillis = Long.getLong(STARTED_PROPERTY);
    if (startedMillis != null) {
      return Math.max(0, Instant.now().toEpochMilli() - startedMillis);
    }
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      String uptime = Files.readString(Path.of("/proc/uptime"));
      double uptimeSeconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
      long startTicks = Long.parseLong(fields[START_FIELD]);
      return Math.max(0, Math.round(uptimeSeconds * 1000) - startTicks * 1000 / TICKS_PER_SECOND);
    } catch (IOException _) {
      return ProcessHandle.current()
          .info()
          .startInstant()
          .map(start -> Math.max(0, Duration.between(start, Instant.now()).toMillis()))
          .orElse(0L);
    }
  }
}
