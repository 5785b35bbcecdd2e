package dev.isogrid.client.pooled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.ConnectionPoolConfig;
import dev.isogrid.client.ExhaustedAction;
import dev.isogrid.client.ProtocolVersion;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.client.SaslConfig;
import dev.isogrid.client.TooManyRequestsException;
import dev.isogrid.client.TransportException;
import dev.isogrid.server.Protection;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.Users;
import dev.isogrid.testkit.Await;
import dev.isogrid.wire.Versions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pool of connections, and the agreement on a version. */
class ConnectionPoolTest {
  private static RemoteCache<String, String> cache(RemoteCacheManager manager) {
    return Objects.requireNonNull(manager.getCache("default"));
  }

  private static int newestSpoken(OldServer server) {
    return server.seen().stream()
        .flatMap(c -> c.versions().stream())
        .mapToInt(v -> v)
        .max()
        .orElseThrow();
  }

  private static Throwable causeOf(CompletableFuture<?> failing) {
    return Objects.requireNonNull(
        assertThrows(CompletionException.class, failing::join).getCause());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void versions_areTriedDownwards(boolean closes) throws IOException {
    try (OldServer server = new OldServer(Versions.V25, closes, Protection.NONE);
        RemoteCacheManager manager =
            new RemoteCacheManager(server.client().connectionPool().build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      assertEquals("v", cache.get("k"));
      assertEquals(Versions.V25, newestSpoken(server));
    }
  }

  @Test
  void newServer_isSpokenToIn31() throws IOException {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(server.client().connectionPool().build())) {
      cache(manager).put("k", "v");
      assertEquals(Versions.V31, newestSpoken(server));
    }
  }

  @Test
  void fixedVersion_isNotLowered() throws IOException {
    try (OldServer server = new OldServer(Versions.V25, false, Protection.NONE);
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server.client().protocolVersion(ProtocolVersion.PROTOCOL_VERSION_29).build())) {
      Throwable failure = assertThrows(TransportException.class, () -> manager.getCache("default"));
      assertTrue(
          Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
              .anyMatch(each -> String.valueOf(each).contains("unknown version")),
          "failure=" + failure);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Versions.V24, Versions.V41})
  void login_comesAfterTheVersion(int versionMax, @TempDir Path folder) throws Exception {
    Users users = new Users(folder, SecuritySettings.REALM);
    users.create("ada", "secret", List.of("admin"));
    SecuritySettings.Login login =
        new SecuritySettings.Login(
            SecuritySettings.REALM, SecuritySettings.SERVER_NAME, true, true, null, null, false);
    SecuritySettings security = new SecuritySettings(login, Roles.PREDEFINED, false, folder);
    try (OldServer server = new OldServer(versionMax, false, new Protection(security, null));
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server
                    .client()
                    .sasl(SaslConfig.password("SCRAM-SHA-256", "ada", "secret"))
                    .connectionPool()
                    .build())) {
      cache(manager).put("k", "v");
      assertEquals("v", cache(manager).get("k"));
    }
  }

  /** Sends so many requests while no answer comes. */
  private static List<CompletableFuture<String>> send(
      OldServer server, RemoteCache<String, String> cache, int count) {
    server.hold(true);
    List<CompletableFuture<String>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(cache.getAsync("k"));
    }
    return sent;
  }

  @Test
  void exhausted_waits_andConnectionsStayBelowTheMaximum() throws Exception {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server
                    .client()
                    .connectionPool()
                    .maxActive(3)
                    .exhaustedAction(ExhaustedAction.WAIT)
                    .build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      List<CompletableFuture<String>> sent = send(server, cache, 20);
      Await.until("three connections", () -> server.connections() == 3);
      server.hold(false);
      for (CompletableFuture<String> one : sent) {
        assertEquals("v", one.join());
      }
      assertEquals(3, server.seen().size());
    }
  }

  @Test
  void exhausted_createsMore() throws Exception {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(server.client().connectionPool().maxActive(2).build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      List<CompletableFuture<String>> sent = send(server, cache, 8);
      Await.until("eight connections", () -> server.connections() == 8);
      server.hold(false);
      sent.forEach(one -> assertEquals("v", one.join()));
    }
  }

  @Test
  void exhausted_refuses() throws Exception {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server
                    .client()
                    .connectionPool()
                    .maxActive(1)
                    .exhaustedAction(ExhaustedAction.EXCEPTION)
                    .build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      List<CompletableFuture<String>> sent = send(server, cache, 2);
      Throwable cause = causeOf(sent.get(1));
      assertEquals(TooManyRequestsException.class, cause.getClass(), cause.toString());
      assertTrue(Objects.requireNonNull(cause.getMessage()).contains("max_active=1"));
      server.hold(false);
      assertEquals("v", sent.get(0).join());
    }
  }

  @Test
  void waiting_endsAfterMaxWait() throws Exception {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server
                    .client()
                    .connectionPool()
                    .maxActive(1)
                    .maxWait(100)
                    .exhaustedAction(ExhaustedAction.WAIT)
                    .build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      List<CompletableFuture<String>> sent = send(server, cache, 2);
      Throwable cause = causeOf(sent.get(1));
      assertTrue(Objects.requireNonNull(cause.getMessage()).contains("max_wait=100"));
      server.hold(false);
      assertEquals("v", sent.get(0).join());
      assertEquals("v", cache.get("k"));
    }
  }

  @Test
  void severalRequests_shareAConnection_ifConfigured() throws Exception {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server
                    .client()
                    .connectionPool()
                    .maxActive(1)
                    .maxPendingRequests(8)
                    .exhaustedAction(ExhaustedAction.EXCEPTION)
                    .build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      List<CompletableFuture<String>> sent = send(server, cache, 8);
      server.hold(false);
      sent.forEach(one -> assertEquals("v", one.join()));
    }
  }

  @Test
  void idleConnections_areHeldReady_andOthersClosed() throws Exception {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server.client().connectionPool().minIdle(2).minEvictableIdleTime(1).build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      List<CompletableFuture<String>> sent = send(server, cache, 6);
      Await.until("a connection for each", () -> server.connections() >= 6);
      server.hold(false);
      sent.forEach(one -> assertEquals("v", one.join()));
      Await.until("two are left", () -> server.connections() == 2);
      assertEquals("v", cache.get("k"));
    }
  }

  @Test
  void lostConnections_areReplaced() throws Exception {
    try (OldServer server = new OldServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(server.client().connectionPool().build())) {
      RemoteCache<String, String> cache = cache(manager);
      cache.put("k", "v");
      List<CompletableFuture<String>> sent = send(server, cache, 3);
      Await.until("three connections", () -> server.connections() == 3);
      server.cut();
      server.hold(false);
      sent.forEach(one -> assertEquals("v", one.join()));
    }
  }

  @Test
  void properties_configureThePool() {
    Properties properties = new Properties();
    properties.put("infinispan.client.hotrod.connection_pool.max_active", "7");
    properties.put("infinispan.client.hotrod.connection_pool.exhausted_action", "WAIT");
    properties.put("isogrid.client.connection_pool.max_wait", "50");
    properties.put("isogrid.client.connection_pool.min_idle", "2");
    properties.put("isogrid.client.connection_pool.min_evictable_idle_time", "1000");
    properties.put("isogrid.client.connection_pool.max_pending_requests", "3");
    properties.put("infinispan.client.hotrod.protocol_version", "2.9");
    ClientConfig config = ClientConfig.builder().withProperties(properties).build();
    assertEquals(ProtocolVersion.PROTOCOL_VERSION_29, config.protocolVersion());
    assertEquals(
        new ConnectionPoolConfig(7, ExhaustedAction.WAIT, 50, 2, 1000, 3), config.connectionPool());
    assertNotNull(ClientConfig.of("hotrod://a:1?protocol_version=2.0").connectionPool());
    assertNull(ClientConfig.of("hotrod://a:1?protocol_version=3.0").connectionPool());
    assertThrows(
        IllegalArgumentException.class,
        () -> ClientConfig.of("hotrod://a:1?connection_pool.max_active=0"));
    assertThrows(
        IllegalArgumentException.class,
        () -> ClientConfig.of("hotrod://a:1?connection_pool.max_active=1&protocol_version=4.1"));
  }
}
