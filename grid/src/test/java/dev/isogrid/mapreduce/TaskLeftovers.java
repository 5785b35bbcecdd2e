package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.isogrid.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The remains of tasks in this process and its folders after an error. */
final class TaskLeftovers {
  /** Begins the names of files of this process; others use the same folder meanwhile. */
  private static final String FILE = "isogrid-pairs-" + ProcessHandle.current().pid() + "-";

  private TaskLeftovers() {}

  /** Checks that there are no threads and files of a task. */
  static void assertNone() throws Exception {
    Await.until(
        "threads to end",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("isogrid-mapreduce")));
    assertEquals(List.of(), files());
  }

  /** The files of tasks that have a name. */
  static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith(FILE)).toList();
    }
  }

  /** The open files of tasks in this process, if the system lists them. */
  static List<String> openFiles() {
    Path descriptors = Path.of("/proc/self/fd");
    List<String> names = new ArrayList<>();
    File[] all = descriptors.toFile().listFiles();
    for (File each : all == null ? new File[0] : all) {
      try {
        String name = Files.readSymbolicLink(each.toPath()).toString();
        if (name.contains(FILE)) {
          names.add(name);
        }
      } catch (IOException closedMeanwhile) {
        assertFalse(Files.isSymbolicLink(each.toPath()), closedMeanwhile::toString);
      }
    }
    return names;
  }
}
