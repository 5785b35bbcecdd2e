package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.client.RequestLimits.WhenFull;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Servers that are silent, gone, or come back. */
class FailureTest {
  private static final int WAIT_SECONDS = 60;

  private static ServerSocket silent() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static ClientConfig.Builder to(ServerSocket socket) {
    return ClientConfig.builder()
        .addServer("127.0.0.1", socket.getLocalPort())
        .operationTimeoutMillis(300);
  }

  @Test
  void silentServer_operationsEndInTime() throws IOException {
    try (ServerSocket socket = silent();
        RemoteCacheManager manager = new RemoteCacheManager(to(socket).build())) {
      assertThrows(HotRodClientException.class, () -> manager.getCache("default"));
    }
  }

  @Test
  void noServer_isSaidSoonAfterTheRetries() throws IOException {
    ServerSocket socket = silent();
    socket.close();
    ClientConfig config = to(socket).operationTimeoutMillis(10_000).build();
    try (RemoteCacheManager manager = new RemoteCacheManager(config)) {
      assertThrows(TransportException.class, () -> manager.getCache("default"));
    }
  }

  @Test
  void limits_full_failOrBlockTheCaller() throws IOException {
    for (WhenFull whenFull : WhenFull.values()) {
      ClientConfig.Builder builder = null;
      try (ServerSocket socket = silent()) {
        builder = to(socket).limits(new RequestLimits(2, 1 << 20, whenFull)).retriesMax(0);
        try (RemoteCacheManager manager = new RemoteCacheManager(builder.build())) {
          Router router = new Router(manager.config(), format(manager.config()));
          List<Operation<?>> sent = new ArrayList<>();
          Class<? extends Exception> expected =
              whenFull == WhenFull.FAIL
                  ? TooManyRequestsException.class
                  : OperationTimeoutException.class;
          assertThrows(
              expected,
              () -> {
                while (sent.size() <= 20) { // more, since those that end in time make room
                  sent.add(router.send(new SizeOperation(format(manager.config()))));
                }
              });
          assertTrue(!sent.isEmpty()); // the ping of a new connection may be the other one
          router.close();
          for (Operation<?> operation : sent) {
            assertThrows(CompletionException.class, operation::join);
          }
        }
      }
    }
  }

  static RequestFormat format(ClientConfig config) {
    ObjectFormat objects = new ObjectFormat(config.marshaller());
    CacheRef cache = new CacheRef("default", config);
    return new RequestFormat(cache, 0, config.intelligence(), objects, objects);
  }

  @Test
  void server_thatComesBack_isUsedAgain() {
    TestServer server = new TestServer();
    int port = server.port();
    ClientConfig config = server.client().operationTimeoutMillis(5_000).retriesMax(20).build();
    try (RemoteCacheManager manager = new RemoteCacheManager(config)) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      cache.put("k", "v");
      server.close();
      CompletableFuture<@Nullable String> waiting = cache.putAsync("k", "w");
      server = new TestServer(port);
      waiting.join();
      assertEquals("w", cache.get("k"));
    } finally {
      server.close();
    }
  }

  @Test
  void silentServer_isLeft_thoughRequestsGoOn() throws Exception {
    try (TestServer server = new TestServer();
        CutProxy proxy = new CutProxy(server.port());
        RemoteCacheManager manager =
            new RemoteCacheManager(
                ClientConfig.builder()
                    .addServer("127.0.0.1", proxy.port())
                    .intelligence(Intelligence.BASIC)
                    .operationTimeoutMillis(600_000)
                    .retriesMax(0)
                    .build())) {
      assertNotNull(manager.getCache("default"));
      proxy.fallSilent();
      SeenRead first = new SeenRead(format(manager.config()));
      manager.router().send(first);
      Connection connection = first.through().get(WAIT_SECONDS, TimeUnit.SECONDS);
      long sentNanos = nowInTurnOf(connection);
      SeenRead second = new SeenRead(format(manager.config()));
      manager.router().send(second);
      second.through().get(WAIT_SECONDS, TimeUnit.SECONDS);
      long laterNanos = nowInTurnOf(connection); // the second one is written
      assertTrue(laterNanos > sentNanos);
      connection
          .link()
          .loop()
          .execute(() -> connection.tick(sentNanos + Connection.SILENCE_MAX_NANOS + 1));
      for (SeenRead each : List.of(first, second)) {
        ExecutionException failed =
            assertThrows(ExecutionException.class, () -> each.get(WAIT_SECONDS, TimeUnit.SECONDS));
        assertTrue(String.valueOf(failed.getMessage()).contains("silent"), failed::toString);
      }
    }
  }

  private static long nowInTurnOf(Connection connection) throws Exception {
    CompletableFuture<Long> now = new CompletableFuture<>();
    connection.link().loop().execute(() -> now.complete(Nanos.now()));
    return now.get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void permits_ofBytes_letALargeOneInAlone() {
    Permits permits = new Permits(new RequestLimits(10, 100, WhenFull.FAIL));
    assertTrue(permits.tryAcquire(1_000));
    assertEquals(false, permits.tryAcquire(1));
    permits.release(1_000);
    assertTrue(permits.tryAcquire(60));
    assertEquals(false, permits.tryAcquire(60));
    assertEquals(1, permits.operations());
  }
}
