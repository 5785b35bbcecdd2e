package dev.isogrid.verify.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Children;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * A map/reduce in a process of its own, over entries that take 30 % of its heap and whose pairs
 * take three times the heap.
 */
@Tag("deep")
class SmallHeapMapReduceTest {
  private static final double INPUT_MIN = 0.3;
  private static final double PAIRS_MIN = 3;

  /** The limit of live data on the heap, entries included. */
  private static final double LEFT_MAX = 0.8;

  /**
   * The limit of one full collection. For this small heap it takes tens of milliseconds, and much
   * longer on a busy machine. But only a full heap stops the process for seconds repeatedly.
   */
  private static final long FULL_MILLIS_MAX = 5_000;

  /** The output of the process. */
  private record Found(Map<String, Long> numbers) {
    long get(String name) {
      return Objects.requireNonNull(numbers.get(name), name);
    }
  }

  @Test
  void pairsOfSeveralTimesTheHeap_leaveRoomInIt(TestReporter reporter) throws Exception {
    Found found = run("-XX:+UseSerialGC", reporter); // collects it all again and again
    long left = found.get("leftBytesMax");
    assertTrue(left > 0 && left <= LEFT_MAX * found.get("heapBytes"), found::toString);
  }

  @Test
  void pairsOfSeveralTimesTheHeap_stopNothingForLong(TestReporter reporter) throws Exception {
    Found found = run("-XX:+UseG1GC", reporter);
    assertTrue(found.get("fullMillisMax") <= FULL_MILLIS_MAX, found::toString);
  }

  private static Found run(String collector, TestReporter reporter)
      throws IOException, InterruptedException {
    Found found = found(collector);
    reporter.publishEntry(collector, found.toString());
    long pairs = (long) SmallHeapMapReduce.ENTRIES * SmallHeapMapReduce.KEYS_PER_ENTRY;
    assertEquals(pairs / SmallHeapMapReduce.SHARING, found.get("keys"));
    assertEquals(pairs, found.get("sum"));
    long heap = found.get("heapBytes");
    assertTrue(found.get("inputBytes") >= INPUT_MIN * heap, found::toString);
    assertTrue(found.get("pairBytes") >= PAIRS_MIN * heap, found::toString);
    assertTrue(found.get("spilledBytes") > 0, found::toString);
    return found;
  }

  private static Found found(String collector) throws IOException, InterruptedException {
    Process process =
        Children.start(
            new ProcessBuilder(
                    List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + SmallHeapMapReduce.HEAP_MEGABYTES + "m",
                        collector,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallHeapMapReduce.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      Map<String, Long> found =
          out.lines()
              .map(line -> line.split(" ", -1))
              .collect(Collectors.toMap(words -> words[0], words -> Long.valueOf(words[1])));
      assertEquals(0, process.waitFor());
      return new Found(found);
    } finally {
      process.destroyForcibly();
    }
  }
}
