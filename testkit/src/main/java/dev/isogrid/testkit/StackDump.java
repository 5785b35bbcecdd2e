package dev.isogrid.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Writes the stacks of all threads, virtual ones too, to a file: when a test method exceeds its
 * time limit, and shortly before the build kills a JVM of tests that runs too long.
 *
 * <p>JUnit finds and calls it. The build sets {@code tests.dump.folder}, the folder of the files,
 * and {@code tests.dump.seconds}, the age of the JVM for the last dump.
 */
public final class StackDump implements LauncherSessionListener, PreInterruptCallback {
  /** Whether the last dump of this JVM is scheduled; JUnit makes a listener for each session. */
  private static final AtomicBoolean IS_SCHEDULED = new AtomicBoolean();

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    long age = TimeUnit.SECONDS.toMillis(Long.getLong("tests.dump.seconds", 0));
    if (age > 0 && IS_SCHEDULED.compareAndSet(false, true)) {
      long left = age - ManagementFactory.getRuntimeMXBean().getUptime();
      CompletableFuture.delayedExecutor(
              left, TimeUnit.MILLISECONDS, task -> Thread.ofPlatform().daemon().start(task))
          .execute(() -> write("this JVM of tests runs too long and is killed soon"));
    }
  }

  @Override
  public void beforeThreadInterrupt(PreInterruptContext context, ExtensionContext extension) {
    write("too late: " + extension.getDisplayName());
  }

  /** Writes the stacks that the threads have now, and says where. */
  static Path write(String why) {
    Path folder =
        Path.of(System.getProperty("tests.dump.folder", System.getProperty("java.io.tmpdir")));
    String name =
        "stacks-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet() + ".txt";
    Path file = folder.resolve(name).toAbsolutePath();
    try {
      Files.createDirectories(folder);
      Files.deleteIfExists(file); // of a process that had the same number
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the stacks: file=" + file, e);
    }
    System.err.println(why + "; the stacks of all threads are in " + file);
    return file;
  }
}
