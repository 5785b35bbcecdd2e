package dev.isogrid.server;

import dev.isogrid.api.Fsync;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.ProcessOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the process of a server during writes, and checks for the entries that clients know of. The
 * system property {@code kills} says how often.
 */
@Tag("deep")
class KilledServerTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");

  @TempDir private Path data;

  @ParameterizedTest
  @EnumSource(
      value = Fsync.class,
      names = {"EACH", "INTERVAL"})
  void killedUnderWrites_hasWhatThePolicyPromises(Fsync fsync) throws Exception {
    KilledHistory history = new KilledHistory(fsync);
    int kills = KilledHistory.kills(5);
    for (int kill = 0; kill <= kills; kill++) {
      Process process = start();
      try {
        List<Integer> port = List.of(port(process));
        if (kill == 0) {
          history.create(port.getFirst(), config(fsync));
        }
        history.check(port);
        if (kill < kills) {
          history.writeUntilKilled(port, process::destroyForcibly);
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static String config(Fsync fsync) {
    return "{\"local-cache\":{\"persistence\":{\"file-store\":{\"fsync\":\"%s\"}}}}"
        .formatted(fsync);
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx160m",
            "--enable-native-access=ALL-UNNAMED",
            "-Disogrid.home=" + System.getProperty("isogrid.home", "."),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--port",
            "0",
            "--memcached-port",
            "0",
            "--no-cluster",
            "--data",
            data.toString());
    return Children.start(builder.redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  private static int port(Process process) throws IOException {
    return Integer.parseInt(ProcessOutput.await(process, READY).match().group(1));
  }
}
