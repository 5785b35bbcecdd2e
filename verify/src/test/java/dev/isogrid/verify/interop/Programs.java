package dev.isogrid.verify.interop;

import dev.isogrid.testkit.Children;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs of other languages. */
final class Programs {
  private static final long LIMIT_SECONDS = 300;

  private Programs() {}

  /** The output of a program, both streams together, and its exit code. */
  record Result(int exitCode, String output) {}

  /** Runs a program in a folder of the checkout, 5 minutes at most. */
  static Result run(String folder, List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("isogrid-interop", ".out");
    try {
      Process process =
          Children.start(
              new ProcessBuilder(command)
                  .directory(Project.root().resolve(folder).toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(output.toFile()));
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("still running after " + LIMIT_SECONDS + " s: " + command);
      }
      return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      Files.delete(output);
    }
  }
}
