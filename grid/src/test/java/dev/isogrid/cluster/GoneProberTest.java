package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Env;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GoneProberTest {
  private static final NodeId DEAD = new NodeId(0, 1);
  private static final NodeId ALIVE = new NodeId(0, 2);
  private static final NodeId UNKNOWN = new NodeId(0, 3);

  private static final long REFUSED_NANOS = 17;

  private final Env env = Env.system();
  private final ConcurrentLinkedQueue<NodeId> gone = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    env.scheduler().close();
  }

  private GoneProber prober(Map<NodeId, InetSocketAddress> addresses) {
    return new GoneProber(
        env.scheduler(),
        () -> REFUSED_NANOS,
        addresses::get,
        (node, nanos) -> {
          assertEquals(REFUSED_NANOS, nanos);
          gone.add(node);
        });
  }

  private static ServerSocket listen() throws Exception {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static InetSocketAddress address(ServerSocket socket) {
    return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
  }

  @Test
  void isRefused_onlyWhereNobodyListens() throws Exception {
    InetSocketAddress address;
    try (ServerSocket socket = listen()) {
      address = address(socket);
      assertFalse(GoneProber.isRefused(address));
    }
    assertTrue(GoneProber.isRefused(address));
  }

  @Test
  void probe_ofNodes_tellsOfTheDeadOnes() throws Exception {
    ServerSocket dead = listen();
    try (ServerSocket alive = listen()) {
      Map<NodeId, InetSocketAddress> addresses = Map.of(DEAD, address(dead), ALIVE, address(alive));
      try (GoneProber prober = prober(addresses)) {
        prober.probe(UNKNOWN);
        prober.probe(ALIVE);
        prober.probe(DEAD);
        dead.close();
        Await.until("a dead node", () -> !gone.isEmpty());
        assertEquals(List.of(DEAD), List.copyOf(gone));
      }
    }
  }

  @Test
  void present_withoutNodeThatWas_probesIt() throws Exception {
    ServerSocket dead = listen();
    Map<NodeId, InetSocketAddress> addresses = Map.of(DEAD, address(dead));
    try (GoneProber prober = prober(addresses)) {
      prober.present(List.of(DEAD, UNKNOWN));
      dead.close();
      prober.present(List.of(UNKNOWN));
      Await.until("a dead node", () -> gone.contains(DEAD));
    }
  }
}
