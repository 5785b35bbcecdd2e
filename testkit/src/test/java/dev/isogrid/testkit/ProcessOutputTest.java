package dev.isogrid.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProcessOutputTest {
  private static final Pattern READY = Pattern.compile("ready on (\\d+)");

  private static Process shell(String script) throws IOException {
    return new ProcessBuilder("sh", "-c", script).start();
  }

  @Test
  void await_lineAmongOthers_isFound() throws Exception {
    Process process = shell("echo begins; echo now ready on 42; exec cat");
    ProcessOutput.Line line = ProcessOutput.await(process, READY);
    process.destroyForcibly();
    assertEquals("now ready on 42", line.text());
    assertEquals("42", line.match().group(1));
  }

  @Test
  void await_processThatEnds_failsAtOnce() throws Exception {
    Process process = shell("echo no");
    IOException ended = assertThrows(IOException.class, () -> ProcessOutput.await(process, READY));
    assertTrue(String.valueOf(ended.getMessage()).startsWith("process ended"), ended::toString);
  }

  @Test
  void await_processThatSaysNothing_isKilledWithItsChildren() throws Exception {
    Process process = shell("cat; cat"); // the shell starts a process and waits for it
    IOException late =
        assertThrows(
            IOException.class, () -> ProcessOutput.await(process, READY, Duration.ofMillis(200)));
    assertTrue(String.valueOf(late.getMessage()).startsWith("process was killed"), late::toString);
    assertTrue(process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }
}
