package dev.isogrid.server;

import static java.util.Objects.requireNonNull;

import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** A cluster of three servers in this process, named n0, n1 and n2. */
public final class ServerTrio implements AutoCloseable {
  private static final int COUNT = 3;

  private final List<Server> servers = new ArrayList<>();

  /** Starts them, and waits for the cluster. */
  public ServerTrio() {
    List<Integer> ports = FreePorts.several(COUNT);
    String seeds = "127.0.0.1:" + ports.getFirst();
    for (int i = 0; i < COUNT; i++) {
      servers.add(start(i, ports.get(i), seeds));
    }
    awaitWhole();
  }

  private static Server start(int number, int port, String seeds) {
    String[] arguments = {
      "--port",
      "0",
      "--memcached-port",
      "0",
      "--node-name",
      "n" + number,
      "--cluster-port",
      String.valueOf(port),
      "--join",
      seeds
    };
    ServerOptions options = requireNonNull(new CommandLineParser().parse(arguments, System.out));
    return Server.start(ServerSettings.of(options, null));
  }

  /** Waits until all know each other, and all copies are there. */
  public void awaitWhole() {
    Await.until("a cluster of " + COUNT, () -> servers.stream().allMatch(ServerTrio::isWhole));
  }

  private static boolean isWhole(Server server) {
    Topology known = server.node().topology();
    return known != null
        && known.members().size() == COUNT
        && server.node().rebalancing().progress().isComplete();
  }

  /** The port of a server for clients. */
  public int port(int number) {
    return servers.get(number).address().getPort();
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }
}
