package dev.isogrid.client;

import dev.isogrid.server.Main;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.testkit.ProcessOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Servers of one cluster, each a process that can be killed. For one thread. */
final class ServerProcesses implements AutoCloseable {
  private static final int ANSWER_MILLIS_MAX = 60_000;
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");

  private final String cluster;
  private final int seedPort;
  private final List<Process> servers = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  ServerProcesses(String cluster, int count) throws IOException {
    this.cluster = cluster;
    this.seedPort = FreePorts.one();
    for (int i = 0; i < count; i++) {
      start(i == 0 ? seedPort : FreePorts.one());
    }
  }

  private void start(int clusterPort) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1", // starts faster
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--port",
            "0",
            "--memcached-port",
            "0",
            "--cluster",
            cluster,
            "--cluster-port",
            Integer.toString(clusterPort),
            "--join",
            "127.0.0.1:" + seedPort);
    Path log = Path.of("target", "%s-%d.log".formatted(cluster, servers.size()));
    Files.createDirectories(log.getParent());
    Process process = Children.start(new ProcessBuilder(command).redirectError(log.toFile()));
    servers.add(process);
    try {
      ports.add(Integer.parseInt(ProcessOutput.await(process, READY).match().group(1)));
    } catch (IOException notReady) {
      throw new IOException("a server is not ready: " + lastLine(log), notReady);
    }
  }

  /** The last line that a server logged, mostly the reason of its end. */
  private static String lastLine(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.reduce((before, line) -> line).orElse("it logged nothing");
    }
  }

  /** The port for clients of a server, by the order of starting. */
  int port(int server) {
    return ports.get(server);
  }

  /** Kills a server. */
  void kill(int server) {
    servers.get(server).destroyForcibly();
  }

  /** Kills the server of a client's port. */
  void killAt(int port) {
    kill(ports.indexOf(port));
  }

  /** A client of the first server that gives operations time. */
  ClientConfig.Builder client() {
    return ClientConfig.builder()
        .addServer("127.0.0.1", port(0))
        .operationTimeoutMillis(30_000)
        .retriesMax(20);
  }

  /** Waits until a client knows of as many servers. */
  static void awaitServers(RemoteCacheManager manager, RemoteCache<?, ?> cache, int count) {
    Await.until(
        count + " servers",
        () -> {
          cache.sizeAsync().join();
          return manager.servers().size() == count;
        });
  }

  /**
   * Waits until every segment has all of its copies, so that no entry is lost with one server. On a
   * busy machine a server may have been given up for a moment.
   */
  void awaitCopies() {
    Await.until("all copies", this::isWhole);
  }

  private boolean isWhole() {
    List<String> lines = metrics().lines().toList();
    return value(lines, "isogrid_cluster_members") == servers.size()
        && value(lines, "isogrid_segments_offline") == 0
        && value(lines, "isogrid_segments_underreplicated") == 0;
  }

  /** Reads the metrics of the first server in this thread: others may keep all pools busy. */
  private String metrics() {
    try {
      URLConnection connection =
          URI.create("http://127.0.0.1:" + port(0) + "/metrics").toURL().openConnection();
      connection.setReadTimeout(ANSWER_MILLIS_MAX);
      try (InputStream answer = connection.getInputStream()) {
        return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static double value(List<String> lines, String metric) {
    return lines.stream()
        .filter(line -> line.startsWith(metric) && line.charAt(metric.length()) != '_')
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  @Override
  public void close() {
    servers.forEach(Process::destroyForcibly);
  }
}
