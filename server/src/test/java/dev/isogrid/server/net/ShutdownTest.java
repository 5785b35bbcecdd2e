package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stops of the servers of a cluster, one of which may be none. */
@Timeout(120)
class ShutdownTest {
  private final List<Node> nodes = new ArrayList<>();
  private final AtomicInteger firstStops = new AtomicInteger();
  private final AtomicInteger secondStops = new AtomicInteger();

  @BeforeEach
  void join() throws IOException {
    int seed = FreePorts.one();
    for (int port : new int[] {seed, FreePorts.one()}) {
      ClusterConfig cluster =
          ClusterConfig.builder()
              .bindPort(port)
              .seeds(List.of("127.0.0.1:" + seed))
              .joinTimeout(30, TimeUnit.SECONDS)
              .build();
      String name = "node-" + nodes.size();
      nodes.add(
          Node.start(GridConfig.builder().nodeName(name).cluster(cluster).build(), Env.system()));
    }
    Node first = nodes.getFirst();
    Await.until(
        "two members", () -> Objects.requireNonNull(first.topology()).members().size() == 2);
  }

  @AfterEach
  void close() {
    nodes.reversed().forEach(Node::close);
  }

  @Test
  void stop_withAServerThatDoesNotAnswer_stopsNone() {
    Shutdown shutdown = new Shutdown(nodes.getFirst(), firstStops::incrementAndGet);
    RetryableGridException refused =
        assertThrows(RetryableGridException.class, () -> shutdown.stop(List.of(), false));
    String text = String.valueOf(refused.getMessage());
    assertTrue(text.startsWith("nothing is stopped, since servers don't answer: servers={node-1="));
    assertEquals(0, firstStops.get());
    refused = assertThrows(RetryableGridException.class, () -> shutdown.stop(List.of(), true));
    text = String.valueOf(refused.getMessage());
    assertTrue(text.contains("unconfirmed={node-1="), text);
    Await.until("the stop of this one", () -> firstStops.get() == 1);
  }

  @Test
  void stop_ofAll_stopsAll() {
    Shutdown shutdown = new Shutdown(nodes.getFirst(), firstStops::incrementAndGet);
    assertEquals(2, nodes.size());
    Shutdown unused = new Shutdown(nodes.getLast(), secondStops::incrementAndGet);
    shutdown.stop(List.of("node-1"), false);
    Await.until("the stop of the other one", () -> secondStops.get() == 1);
    assertEquals(0, firstStops.get());
    unused.stop(List.of(), false);
    Await.until("the stop of both", () -> secondStops.get() == 2 && firstStops.get() == 1);
  }
}
