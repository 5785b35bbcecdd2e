package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A plain program prints nothing but its own text on the console. */
class ConsoleTest {
  @Test
  void plainProgram_printsNoWarnings() throws Exception {
    try (TestServer server = new TestServer()) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  QuietProgram.class.getName(),
                  Integer.toString(server.port()))
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals("done", output.strip());
      assertEquals(0, process.waitFor());
    }
  }
}
