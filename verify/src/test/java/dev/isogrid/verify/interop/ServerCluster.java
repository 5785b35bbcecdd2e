package dev.isogrid.verify.interop;

import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Starts and stops the servers of a cluster. */
final class ServerCluster implements AutoCloseable {
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<Integer> ports;
  private final String name;
  private final String seeds;

  /** Starts some servers at once, and waits until all are ready and have their copies. */
  ServerCluster(String name, int count) {
    this.ports = FreePorts.several(count);
    this.name = name;
    this.seeds = ports.stream().map(p -> "127.0.0.1:" + p).collect(Collectors.joining(","));
    servers.addAll(startAll(ports));
    awaitAllCopies();
  }

  private List<ServerProcess> startAll(List<Integer> clusterPorts) {
    try (ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor()) {
      return clusterPorts.stream()
          .map(port -> starters.submit(() -> startServer(port)))
          .toList()
          .stream()
          .map(ServerCluster::joined)
          .toList();
    }
  }

  /**
   * Kills all servers but the first at once, and starts them again with the same options. Returns
   * when they are ready.
   */
  void restartAllButFirst() {
    List<ServerProcess> others = servers.subList(1, servers.size());
    others.forEach(ServerProcess::kill);
    others.clear();
    servers.addAll(startAll(ports.subList(1, ports.size())));
  }

  /** Waits until each segment has its copies, so that no single server has the only copy. */
  private void awaitAllCopies() {
    String uri = "http://127.0.0.1:%d/rest/v2/container/health".formatted(servers.get(0).port());
    String members = "\"number_of_nodes\":" + servers.size();
    HttpRequest health = HttpRequest.newBuilder(URI.create(uri)).build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      Await.until(
          "all copies on " + servers.size() + " servers",
          () -> {
            String report =
                http.sendAsync(health, HttpResponse.BodyHandlers.ofString()).join().body();
            return report.contains(members) && report.contains("\"health_status\":\"HEALTHY\"");
          });
    }
  }

  private static ServerProcess joined(Future<ServerProcess> started) {
    try {
      return started.get();
    } catch (InterruptedException | ExecutionException failure) {
      throw new IllegalStateException("a server did not start: " + failure.getMessage(), failure);
    }
  }

  private ServerProcess startServer(int port) {
    String clusterPort = Integer.toString(port);
    return ServerProcess.start(
        "--node-name",
        "n" + clusterPort,
        "--cluster",
        name,
        "--cluster-port",
        clusterPort,
        "--join",
        seeds);
  }

  /** Starts one more server, which joins the others, and waits until it is ready. */
  void startAnother() {
    servers.add(startServer(FreePorts.several(1).getFirst()));
  }

  /** The servers that were not taken out. */
  List<ServerProcess> servers() {
    return servers;
  }

  /** Ends all servers at once, without a hand-over of entries. */
  @Override
  public void close() {
    servers.forEach(ServerProcess::kill);
  }
}
