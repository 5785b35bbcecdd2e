package dev.isogrid.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {
  private static final long SECONDS_MAX = 30;

  @TempDir private Path folder;

  @Test
  void awaitReady_ofALine_returnsIt() throws IOException, InterruptedException {
    long pid;
    try (Child child = shell("echo one; echo two ready; exec cat")) {
      assertEquals("two ready", child.awaitReady(SECONDS_MAX).text());
      pid = child.pid();
    }
    assertFalse(ProcessHandle.of(pid).isPresent());
  }

  @Test
  void awaitReady_whenTheProcessEnds_fails() throws IOException {
    try (Child child = shell("echo one; exit 3")) {
      assertThrows(IOException.class, () -> child.awaitReady(SECONDS_MAX));
    }
  }

  @Test
  void awaitPort_whenTheProcessEnds_fails() throws IOException {
    try (Child child = shell("exit 3")) {
      int port = Ports.free();
      assertThrows(IOException.class, () -> child.awaitPort(port, SECONDS_MAX));
    }
  }

  @Test
  void facts_ofThisProcess_arePlausible() throws IOException, InterruptedException {
    ProcessFacts facts = new ProcessFacts(ProcessHandle.current().pid());
    assertTrue(facts.processorSeconds() > 0);
    assertTrue(facts.residentMegabytes() > 10);
    assertTrue(facts.liveHeapMegabytes() > 0.1);
  }

  private Child shell(String script) throws IOException {
    return Child.start(
        "shell", new ProcessBuilder("sh", "-c", script), "ready", folder.resolve("log"));
  }
}
