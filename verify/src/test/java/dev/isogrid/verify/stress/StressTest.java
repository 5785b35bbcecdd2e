package dev.isogrid.verify.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.isogrid.testkit.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.Main;

/**
 * Runs the stress tests of the containers in a process of jcstress, each of them once and for a
 * short time. {@code -Dstress.options="-m default"} replaces the options of jcstress, for a long
 * run in all of its compilation modes. {@code -Dstress.seconds.max} is the deadline.
 */
@Tag("deep")
@Timeout(value = 6, unit = TimeUnit.HOURS) // it has a deadline of its own
class StressTest {
  /** The options of a short round: one fork and one compilation mode per test. */
  private static final String SHORT_OPTIONS = "-f 1 -iters 1 -time 100 -sc false -jvmArgs -Xmx256m";

  private static final int DEADLINE_SECONDS = 300;

  private static final String TESTS = "dev.isogrid.store";
  private static final int TESTS_MIN = 20;

  private static final Pattern SUMMARY =
      Pattern.compile("Results: +[0-9]+ planned; +([0-9]+) passed, +([0-9]+) failed, ");

  @TempDir private Path folder;

  @Test
  void readers_againstWriters_seeOnlyWhatIsAllowed() throws Exception {
    assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1, "threads of a test run side by side");
    String options = System.getProperty("stress.options", SHORT_OPTIONS);
    long secondsMax = Long.getLong("stress.seconds.max", DEADLINE_SECONDS);
    Path output = folder.resolve("output");
    int exitCode = run(options, output, secondsMax);

    String text = Files.readString(output);
    assertEquals(0, exitCode, text);
    int passed = 0;
    Matcher summary = SUMMARY.matcher(text);
    while (summary.find()) {
      assertEquals("0", summary.group(2), text);
      passed = Integer.parseInt(summary.group(1));
    }
    assertTrue(passed >= TESTS_MIN, text);
  }

  private int run(String options, Path output, long secondsMax)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("-t", TESTS, "-r", folder.resolve("report").toString()));
    command.addAll(List.of(options.split(" ")));
    Process process =
        Children.start(
            new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile()));
    try {
      assertTrue(process.waitFor(secondsMax, TimeUnit.SECONDS), () -> "still running: " + command);
      return process.exitValue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
