package dev.isogrid.server;

import dev.isogrid.api.Fsync;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.testkit.ProcessOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills all servers of a cluster during writes, and checks for the entries that clients know of.
 * The system property {@code kills} says how often.
 */
@Tag("deep")
class KilledClusterTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final int SERVERS = 3;

  /** Lines of a server's log that say why it does not start. */
  private static final int LOG_LINES = 30;

  @TempDir private Path data;

  @ParameterizedTest
  @EnumSource(
      value = Fsync.class,
      names = {"EACH", "INTERVAL"})
  void allKilledUnderWrites_haveWhatThePolicyPromises(Fsync fsync) throws Exception {
    List<Integer> clusterPorts = FreePorts.several(SERVERS);
    KilledHistory history = new KilledHistory(fsync);
    int kills = KilledHistory.kills(3);
    for (int kill = 0; kill <= kills; kill++) {
      List<Process> processes = new ArrayList<>();
      try {
        for (int i = 0; i < SERVERS; i++) {
          processes.add(start(i, clusterPorts));
        }
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
          ports.add(port(processes.get(i), i));
        }
        if (kill == 0) {
          history.create(ports.getFirst(), config(fsync));
        }
        history.check(ports);
        if (kill < kills) {
          history.writeUntilKilled(ports, () -> processes.forEach(Process::destroyForcibly));
        }
      } finally {
        for (Process process : processes) {
          process.destroyForcibly().waitFor();
        }
      }
    }
  }

  private static String config(Fsync fsync) {
    return ("{\"distributed-cache\":{\"mode\":\"SYNC\",\"segments\":32,"
            + "\"persistence\":{\"file-store\":{\"fsync\":\"%s\"}}}}")
        .formatted(fsync);
  }

  private Process start(int number, List<Integer> clusterPorts) throws IOException {
    String seeds =
        clusterPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
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
            "--node-name",
            "n" + number,
            "--cluster-port",
            clusterPorts.get(number).toString(),
            "--join",
            seeds,
            "--data",
            data.resolve("n" + number).toString());
    return Children.start(
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log(number).toFile())));
  }

  private Path log(int number) {
    return data.resolve("n" + number + ".log");
  }

  private int port(Process process, int number) throws IOException {
    try {
      return Integer.parseInt(ProcessOutput.await(process, READY).match().group(1));
    } catch (IOException failure) {
      List<String> lines = Files.readAllLines(log(number));
      List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
      throw new IOException("server %d: %s".formatted(number, String.join("\n", last)), failure);
    }
  }
}
