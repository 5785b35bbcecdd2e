package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Env;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GoneProberTest {
  private static final NodeId DEAD = new NodeId(0, 1);
  private static final NodeId ALIVE = new NodeId(0, 2);
  private static final NodeId UNKNOWN = new NodeId(0, 3);

  private static final long REFUSED_NANOS_MIN = 100_000_000;

  private final Env env = Env.system();
  private final ConcurrentLinkedQueue<NodeId> gone = new ConcurrentLinkedQueue<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicBoolean isSeen = new AtomicBoolean();

  @AfterEach
  void close() {
    env.scheduler().close();
  }

  private GoneProber prober(Map<NodeId, InetSocketAddress> addresses) {
    return new GoneProber(
        env.scheduler(),
        System::nanoTime,
        addresses::get,
        (_, _) -> {
          looks.incrementAndGet();
          return isSeen.get();
        },
        (node, firstNanos) -> {
          assertTrue(System.nanoTime() - firstNanos >= REFUSED_NANOS_MIN);
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
  void probe_ofNodeThatGivesSignsOfLife_tellsOfItWhenTheyEnd() throws Exception {
    ServerSocket refusing = listen();
    refusing.close();
    isSeen.set(true);
    try (GoneProber prober = prober(Map.of(ALIVE, address(refusing)))) {
      Await.until(
          "refusals",
          () -> {
            prober.probe(ALIVE);
            return looks.get() > 5;
          });
      assertEquals(List.of(), List.copyOf(gone));
      isSeen.set(false);
      Await.until(
          "a dead node",
          () -> {
            prober.probe(ALIVE);
            return !gone.isEmpty();
          });
    }
  }

  @Test
  void isRefusal_ofConnectionThatNobodyAnswered_isFalse() {
    assertFalse(GoneProber.isRefusal(new ConnectException("Connection timed out")));
    assertFalse(GoneProber.isRefusal(new ConnectException()));
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
