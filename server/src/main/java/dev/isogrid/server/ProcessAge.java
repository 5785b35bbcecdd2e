package dev.isogrid.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** How long this process has been running. */
final class ProcessAge {
  /** Clock ticks a second in files of /proc: the same on every Linux that Java runs on. */
  private static final int TICKS_PER_SECOND = 100;

  /** The field after the state of a process, which is the first after its name, that we need. */
  private static final int START_FIELD = 19;

  private ProcessAge() {}

  /** When the JVM was started, milliseconds since 1970, where the process is older than that. */
  private static final String STARTED_PROPERTY = "isogrid.started";

  /**
   * Milliseconds since the process began, the loading of the JVM included. On Linux to the
   * hundredth of a second; there the JDK's own figure is only good to the second.
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
