package dev.isogrid.testkit;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the folders of {@code @TempDir}, in memory if the machine has a file system there with
 * enough room, else where the JDK makes temporary folders.
 *
 * <p>Tests of stores force files thousands of times, and mostly wait for the disk then. A process
 * that is killed leaves the same files in memory as on a disk. JUnit finds this class by {@code
 * junit-platform.properties}. Thread-safe.
 */
public final class MemoryFolders implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final Path MOUNTS = Path.of("/proc/mounts");

  /** Far more than the files of all tests that run side by side. */
  private static final long ROOM_BYTES_MIN = 4L << 30;

  /** The JVMs of tests need most of it. */
  private static final long MEMORY_BYTES_MIN = 7L << 30;

  private static final String PREFIX = "isogrid-test-";

  private static final @Nullable Path PARENT = parent();

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return create();
  }

  /** Makes a folder. The caller deletes it; if this JVM is killed, a later one does. */
  public static Path create() throws IOException {
    String prefix = PREFIX + ProcessHandle.current().pid() + "-";
    return PARENT == null
        ? Files.createTempDirectory(prefix)
        : Files.createTempDirectory(PARENT, prefix);
  }

  private static @Nullable Path parent() {
    try {
      if (!hasRoom()) {
        return null;
      }
      deleteLeftovers(MEMORY);
      return MEMORY;
    } catch (IOException unusable) {
      return null;
    }
  }

  private static boolean hasRoom() throws IOException {
    if (!Files.isWritable(MEMORY) || !Files.isReadable(MOUNTS)) {
      return false;
    }
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    FileStore store = Files.getFileStore(MEMORY);
    return store.type().equals("tmpfs")
        && store.getUsableSpace() >= ROOM_BYTES_MIN
        && system.getTotalMemorySize() >= MEMORY_BYTES_MIN
        && !isNoExec(Files.readAllLines(MOUNTS), MEMORY);
  }

  /** Whether programs can't be started from a file system, as some tests do. */
  static boolean isNoExec(List<String> mounts, Path at) {
    return mounts.stream()
        .map(line -> line.split(" ", -1))
        .filter(parts -> parts.length > 3 && parts[1].equals(at.toString()))
        .anyMatch(parts -> List.of(parts[3].split(",", -1)).contains("noexec"));
  }

  /** Deletes the folders of JVMs that were killed. */
  static void deleteLeftovers(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "[0-9]*-*")) {
      for (Path folder : folders) {
        String name = folder.getFileName().toString().substring(PREFIX.length());
        long pid = Long.parseLong(name.substring(0, name.indexOf('-')));
        if (ProcessHandle.of(pid).isEmpty()) {
          delete(folder);
        }
      }
    }
  }

  /** Deletes a folder with all that is in it, as far as possible: others may do so as well. */
  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | RuntimeException busy) {
      // The next JVM tries again.
    }
  }
}
