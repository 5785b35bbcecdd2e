package dev.isogrid.verify.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A map/reduce in a process of its own, whose pairs take three times its heap or more. */
@Tag("deep")
@Timeout(300)
class SmallHeapMapReduceTest {
  private static final int HEAP_MEGABYTES = 64;

  @Test
  void pairsOfSeveralTimesTheHeap_goToDiskAndAreReduced() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx" + HEAP_MEGABYTES + "m",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    SmallHeapMapReduce.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String[] found =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .strip()
              .split(" ", -1);
      assertEquals(0, process.waitFor());
      int pairs = SmallHeapMapReduce.ENTRIES * SmallHeapMapReduce.KEYS_PER_ENTRY;
      assertEquals(pairs / SmallHeapMapReduce.SHARING, Long.parseLong(found[0]));
      assertEquals(pairs, Long.parseLong(found[1]));
      assertTrue(Long.parseLong(found[2]) > 0, () -> "spilled: " + found[2]);
    } finally {
      process.destroyForcibly();
    }
  }
}
