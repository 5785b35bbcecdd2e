package dev.isogrid.testkit;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes the time and the processor time of each test class to a file beside the reports, so that a
 * reader sees whether a slow class computes or waits. Processor time of processes that a test
 * starts is not in it.
 *
 * <p>JUnit finds and calls it. The build sets {@code tests.dump.folder}, the folder of the file;
 * without that property nothing is written. Not thread-safe: JUnit calls it from one thread.
 */
public final class ClassTimes implements TestExecutionListener {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The parts of the id of a class: the engine's, and its own. */
  private static final int CLASS_DEPTH = 2;

  private record Times(long nanos, long cpuNanos) {}

  private final Map<String, Times> starts = new HashMap<>();
  private final String folder = System.getProperty("tests.dump.folder", "");

  @Override
  public void executionStarted(TestIdentifier test) {
    if (isTopClass(test)) {
      starts.put(test.getUniqueId(), now());
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Times start = starts.remove(test.getUniqueId());
    if (start != null && !folder.isEmpty()) {
      Times end = now();
      write(
          String.format(
              Locale.ROOT,
              "%.1f %.1f %s%n",
              (end.nanos - start.nanos) / NANOS_PER_SECOND,
              (end.cpuNanos - start.cpuNanos) / NANOS_PER_SECOND,
              test.getLegacyReportingName()));
    }
  }

  /** Whether it is a class as a whole: no nested one, and not one with a single parameter. */
  private static boolean isTopClass(TestIdentifier test) {
    return test.getSource().orElse(null) instanceof ClassSource
        && test.getUniqueIdObject().getSegments().size() == CLASS_DEPTH;
  }

  private static Times now() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long nanos = System.nanoTime(); // tidy: measures what tests take, in real time
    return new Times(nanos, system.getProcessCpuTime());
  }

  private void write(String line) {
    Path file = Path.of(folder, "times-" + ProcessHandle.current().pid() + ".txt");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the times of a test class: file=" + file, e);
    }
  }
}
