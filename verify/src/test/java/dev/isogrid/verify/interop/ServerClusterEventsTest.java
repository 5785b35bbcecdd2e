package dev.isogrid.verify.interop;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Events and aliases of three servers. */
@Tag("interop")
class ServerClusterEventsTest extends EventsAndAliasesContract {
  private static ServerCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new ServerCluster("events", 3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  List<Integer> ports() {
    return cluster.servers().stream().map(ServerProcess::port).toList();
  }
}
