package dev.isogrid.verify.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Children;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Compares a node's report of its off-heap memory with the growth of its process. The heap is
 * touched before, and a small round before the measured one makes the JVM load and compile its
 * classes. So the growth is that of the cache.
 */
@Tag("deep")
@EnabledOnOs(OS.LINUX)
class AccountingTest {
  private static final double TOLERANCE = 0.05;
  private static final long FILLED_BYTES_MIN = 300_000_000;

  /** The time within which free memory is merged and returned after a change. */
  private static final int SETTLING_SECONDS_MAX = 120;

  private static final long POLL_MILLIS = 500;

  /**
   * The least part of the reserved memory after churn; large entries leave holes too small for a
   * page.
   */
  private static final double ALLOCATED_MIN = 0.85;

  private final Process process;
  private final BufferedReader out;
  private final Writer in;

  AccountingTest() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms192m", "-Xmx192m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
    command.add("-XX:TieredStopAtLevel=1"); // the other compiler takes and frees tens of MB
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(AccountedProcess.class.getName());
    process =
        Children.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    out = process.inputReader(StandardCharsets.UTF_8);
    in = process.outputWriter(StandardCharsets.UTF_8);
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  /** One line of the process. */
  private record Counts(
      String name, long reserved, long allocated, long cache, long process, long base) {
    long growth() {
      return process - base;
    }

    boolean isNear(long count) {
      return Math.abs(growth() - count) <= TOLERANCE * count;
    }
  }

  @Test
  void offHeapUse_ofFilledAndChurnedCache_isTheGrowthOfTheProcess() throws Exception {
    for (String name : List.of("base", "filled", "churned", "removed")) {
      settled("warming-" + name, 0, _ -> true);
    }
    long base = settled("measured-base", 0, _ -> true).process();

    Counts filled =
        settled("measured-filled", base, c -> c.isNear(c.reserved()) && c.isNear(c.cache()));
    assertEquals(filled.allocated(), filled.cache());
    assertTrue(filled.allocated() > FILLED_BYTES_MIN, filled::toString);

    Counts churned =
        settled(
            "measured-churned",
            base,
            c -> c.isNear(c.reserved()) && c.allocated() >= ALLOCATED_MIN * c.reserved());
    assertEquals(churned.allocated(), churned.cache());
    assertTrue(churned.allocated() > FILLED_BYTES_MIN, churned::toString);

    Counts removed =
        settled("measured-removed", base, c -> c.growth() < TOLERANCE * filled.growth());
    assertEquals(0, removed.reserved());
  }

  /** Queries the counts until they are as expected. */
  private Counts settled(String name, long base, Predicate<Counts> isSettled)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLING_SECONDS_MAX);
    Counts counts = read(name, base);
    while (!isSettled.test(counts)) {
      Counts last = counts;
      assertTrue(System.nanoTime() < end, () -> "not settled: " + last);
      assertTrue(!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS), "the process ended");
      write(AccountedProcess.AGAIN);
      counts = read(name, base);
    }
    write("on");
    return counts;
  }

  private Counts read(String name, long base) throws IOException {
    String line = out.readLine();
    assertTrue(line != null && line.startsWith(name + " "), () -> name + ": " + line);
    String[] words = line.split(" ", -1);
    return new Counts(
        name,
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        base);
  }

  private void write(String line) throws IOException {
    in.write(line + "\n");
    in.flush();
  }
}
