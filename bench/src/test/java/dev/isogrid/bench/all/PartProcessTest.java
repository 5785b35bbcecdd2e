package dev.isogrid.bench.all;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.bench.all.PartRunner.Ending;
import dev.isogrid.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes: shells in place of the launcher. */
class PartProcessTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir private Path folder;

  private Ending run(String script, Duration limit) throws Exception {
    // A shell gets the words of the part as its parameters.
    List<String> shell = List.of("sh", "-c", script, "isogrid");
    PartProcess process = new PartProcess(shell, folder.resolve("results"), folder);
    return process.run(new Part("one", 1, List.of("codec", "--rounds", "7")), limit);
  }

  @Test
  void run_ofABenchmarkThatWritesAReport_namesIt() throws Exception {
    Ending ending = run("echo \"$*\"; echo written to /some/2026-11-27-codec.md", LONG);
    assertEquals(new Ending(true, "2026-11-27-codec.md"), ending);
    String output = Files.readString(folder.resolve("all-one.log"));
    String words = "codec --rounds 7 --results " + folder.resolve("results");
    assertTrue(output.startsWith(words), output);
  }

  @Test
  void run_ofABenchmarkThatFails_namesItsOutput() throws Exception {
    Ending ending = run("echo written to x.md; exit 3", LONG);
    assertFalse(ending.isDone());
    assertTrue(ending.text().contains("exit code 3"), ending.text());
    assertTrue(ending.text().contains("all-one.log"), ending.text());
    assertFalse(run("echo no report", LONG).isDone());
  }

  @Test
  void run_ofABenchmarkThatHangs_endsItWithItsChildren() throws Exception {
    Path pid = folder.resolve("pid");
    Ending ending = run("sleep 600 & echo $! > %s; wait".formatted(pid), Duration.ofSeconds(2));
    assertFalse(ending.isDone());
    assertTrue(ending.text().contains("not done in 2 s"), ending.text());
    long child = Long.parseLong(Files.readString(pid).strip());
    Await.until(
        "the child of the part to end",
        () -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
  }
}
