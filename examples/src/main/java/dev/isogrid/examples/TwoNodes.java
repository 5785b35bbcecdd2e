package dev.isogrid.examples;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Two nodes of a cluster in one process, as the examples use them. In production each node is in a
 * process of its own, on a machine of its own; the seeds are the addresses of some of them.
 */
final class TwoNodes implements AutoCloseable {
  final Grid first;
  final Grid second;

  /** Starts both at the same time: each waits for the other. */
  TwoNodes(int port, int otherPort) {
    List<String> seeds = List.of("127.0.0.1:" + port, "127.0.0.1:" + otherPort);
    CompletableFuture<Grid> starting =
        CompletableFuture.supplyAsync(() -> start("first", port, seeds));
    second = start("second", otherPort, seeds);
    first = starting.join();
  }

  /** Takes the ports from the arguments of a program, or the usual ones. */
  static TwoNodes of(String[] args) {
    return args.length == 2
        ? new TwoNodes(Integer.parseInt(args[0]), Integer.parseInt(args[1]))
        : new TwoNodes(7800, 7801);
  }

  private static Grid start(String name, int port, List<String> seeds) {
    return Grid.start(
        GridConfig.builder()
            .nodeName(name)
            .cluster(ClusterConfig.builder().bindPort(port).seeds(seeds).build())
            .build());
  }

  @Override
  public void close() {
    second.close();
    first.close();
  }
}
