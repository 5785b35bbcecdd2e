package dev.isogrid.chaos.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs of the operating system. */
final class Commands {
  private static final long SECONDS_MAX = 10;

  private Commands() {}

  /**
   * Runs a program and waits for its end.
   *
   * @throws IOException if it fails, with its output
   */
  static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(
          "a command failed: command=%s, output=%s".formatted(command, output.strip()));
    }
  }
}
