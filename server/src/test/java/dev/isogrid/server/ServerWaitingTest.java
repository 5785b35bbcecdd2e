package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A server that waits for its cluster has opened its ports already. */
class ServerWaitingTest {
  /** A wait for others that is long enough for a busy machine. */
  private static final String DOCUMENT =
      """
      <infinispan>
        <cache-container name="default">
          <transport cluster="waiting" initial-cluster-timeout="120000"/>
        </cache-container>
      </infinispan>
      """;

  private final int port = FreePorts.one();
  private final int memcachedPort = FreePorts.one();
  private final List<Integer> clusterPorts = FreePorts.several(2);
  private final String seeds =
      "127.0.0.1:%d,127.0.0.1:%d".formatted(clusterPorts.get(0), clusterPorts.get(1));

  private static Server start(int port, int memcachedPort, int clusterPort, String seeds) {
    String[] arguments = {
      "--port",
      "" + port,
      "--memcached-port",
      "" + memcachedPort,
      "--cluster-port",
      "" + clusterPort,
      "--join",
      seeds
    };
    ServerOptions options = new CommandLineParser().parse(arguments, System.out);
    assertNotNull(options);
    return Server.start(
        ServerSettings.of(
            options, ServerDocument.read(DOCUMENT, DocumentFormat.XML, ReadContext.empty())));
  }

  private boolean isLive(RestCaller probe) throws Exception {
    try {
      return probe.send("GET", "/health/live", "").statusCode() == 200;
    } catch (ConnectException notYet) {
      return false;
    }
  }

  @Test
  void server_thatWaitsForItsCluster_answersProbesAndServesLater() throws Exception {
    try (ExecutorService starter = Executors.newVirtualThreadPerTaskExecutor();
        RestCaller probe = new RestCaller(new InetSocketAddress("127.0.0.1", port), "", "")) {
      Future<Server> waiting =
          starter.submit(() -> start(port, memcachedPort, clusterPorts.get(0), seeds));
      Await.until("a server that lives", () -> isLive(probe));
      HttpResponse<String> ready = probe.send("GET", "/health/ready", "");
      assertEquals(503, ready.statusCode());
      assertTrue(ready.body().contains("waits for its cluster"), ready.body());
      assertEquals(
          "INITIALIZING", probe.send("GET", "/rest/v2/container/health/status", "").body());
      assertEquals(503, probe.send("PUT", "/rest/v2/caches/default/k", "v").statusCode());
      try (Socket early = new Socket(InetAddress.getLoopbackAddress(), memcachedPort);
          Server other = start(0, 0, clusterPorts.get(1), seeds);
          Server server = waiting.get()) {
        assertNotNull(other.node().topology());
        assertNotNull(server.node().topology());
        early.getOutputStream().write("version\r\n".getBytes(StandardCharsets.US_ASCII));
        assertEquals('V', early.getInputStream().read());
        Await.until(
            "a ready server", () -> probe.send("GET", "/health/ready", "").statusCode() == 200);
      }
    }
  }

  @Test
  void port_thatIsTaken_isFoundBeforeTheClusterIsJoined() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int takenPort = taken.getLocalPort();
      FatalGridException refusal =
          assertThrows(
              FatalGridException.class, () -> start(takenPort, 0, clusterPorts.get(0), seeds));
      assertTrue(
          String.valueOf(refusal.getMessage()).contains("the port is taken"), refusal::toString);
    }
  }
}
