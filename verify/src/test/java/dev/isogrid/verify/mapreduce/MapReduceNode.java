package dev.isogrid.verify.mapreduce;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.ProcessOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A node in a process of its own. The arguments are its port, then the cluster's addresses. It
 * reports that it is ready, and lives until its input ends.
 */
final class MapReduceNode {
  private static final String READY = "ready";
  private static final int JOIN_SECONDS = 30;

  private MapReduceNode() {}

  /** Runs the node. */
  public static void main(String[] arguments) throws IOException {
    try (Grid _ = join(Integer.parseInt(arguments[0]), List.of(arguments[1].split(",", -1)));
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(READY);
      String line = in.readLine();
      assert line == null : line;
    }
  }

  /** Starts a node in this process. */
  static Grid join(int port, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(seeds)
            .joinTimeout(JOIN_SECONDS, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    return Grid.start(GridConfig.builder().nodeName("n" + port).cluster(cluster).build());
  }

  /** Starts a process without waiting for it. */
  static Process start(int port, List<String> seeds) throws IOException {
    return Children.start(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1", // starts faster
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MapReduceNode.class.getName(),
                String.valueOf(port),
                String.join(",", seeds))
            .redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** Waits until a process reports that it is ready. */
  static void awaitReady(Process process) throws IOException {
    ProcessOutput.await(process, Pattern.compile("^" + READY));
  }
}
