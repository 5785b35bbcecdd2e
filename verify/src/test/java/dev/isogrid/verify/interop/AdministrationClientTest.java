package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.RemoteCacheManagerAdmin;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.api.CacheContainerAdmin.AdminFlag;
import org.infinispan.commons.configuration.StringConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The administration of the official Hot Rod client for Java, through either of two servers. */
@Tag("interop")
@Tag("deep")
class AdministrationClientTest {
  @TempDir private Path data;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<RemoteCacheManager> managers = new ArrayList<>();
  private String firstPort;
  private String secondPort;

  @BeforeEach
  void start() {
    List<Integer> ports = FreePorts.several(2);
    firstPort = Integer.toString(ports.get(0));
    secondPort = Integer.toString(ports.get(1));
    startServer("a", "--cluster-port", firstPort);
    startServer("b", "--cluster-port", secondPort, "--join", "127.0.0.1:" + firstPort);
  }

  private void startServer(String name, String... options) {
    List<String> all = new ArrayList<>(List.of("--cluster", "administered", "--node-name", name));
    all.addAll(List.of("--data", data.resolve(name).toString()));
    all.addAll(List.of(options));
    ServerProcess server = ServerProcess.start(all.toArray(String[]::new));
    servers.add(server);
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(server.port());
    builder.clientIntelligence(ClientIntelligence.BASIC);
    managers.add(new RemoteCacheManager(builder.build()));
  }

  @AfterEach
  void stop() {
    managers.forEach(RemoteCacheManager::close);
    servers.forEach(ServerProcess::close);
  }

  private RemoteCacheManagerAdmin admin(int server) {
    return managers.get(server).administration();
  }

  private boolean isKept(String server, String cache) {
    return Files.exists(data.resolve(server).resolve("caches").resolve(cache + ".json"));
  }

  @Test
  void permanentCache_isKeptAndRemovedOnAllServers() {
    String xml =
        "<distributed-cache><expiration lifespan=\"1h\"/>"
            + "<memory max-count=\"1000\"/></distributed-cache>";
    RemoteCache<String, String> cache = admin(0).createCache("kept", new StringConfiguration(xml));
    Await.until("kept on both", () -> isKept("a", "kept") && isKept("b", "kept"));
    admin(1).updateConfigurationAttribute("kept", "expiration.lifespan", "30m");
    cache.put("k", "v");
    Await.until(
        "changed on the other",
        () -> {
          cache.put("k", "v");
          return cache.getWithMetadata("k").getLifespan() == 1800;
        });
    HotRodClientException refused =
        assertThrows(
            HotRodClientException.class,
            () -> admin(1).updateConfigurationAttribute("kept", "owners", "1"));
    assertTrue(refused.toString().contains("owners"), refused.toString());
    admin(1).removeCache("kept");
    Await.until("removed on both", () -> !isKept("a", "kept") && !isKept("b", "kept"));
    assertFalse(managers.get(0).getCacheNames().contains("kept"));
  }

  @Test
  void volatileCache_isKeptNowhere() {
    admin(0).withFlags(AdminFlag.VOLATILE).createCache("short", "org.infinispan.DIST_SYNC");
    assertNotNull(managers.get(1).getCache("short"));
    assertTrue(!isKept("a", "short") && !isKept("b", "short"));
    assertThrows(
        HotRodClientException.class,
        () -> admin(1).createCache("short", "org.infinispan.DIST_SYNC"));
    assertNotNull(admin(1).getOrCreateCache("short", "org.infinispan.DIST_SYNC"));
    assertTrue(managers.get(1).getCacheNames().contains("short"));
  }

  @Test
  void templatesAndAliases_areThereOnBothServers() {
    String json = "{\"distributed-cache\":{\"expiration\":{\"lifespan\":\"7s\"}}}";
    String yaml = "distributedCache:\n  expiration:\n    lifespan: 9s\n";
    admin(0).createTemplate("seven", new StringConfiguration(json));
    Await.until(
        "template on the other",
        () -> {
          try {
            return admin(1).createCache("byTemplate", "seven") != null;
          } catch (HotRodClientException refused) {
            return false;
          }
        });
    RemoteCache<String, String> cache = managers.get(1).getCache("byTemplate");
    cache.put("k", "v");
    assertEquals(7, cache.getWithMetadata("k").getLifespan());
    admin(0).removeTemplate("seven");
    RemoteCache<String, String> other =
        admin(0).getOrCreateCache("byYaml", new StringConfiguration(yaml));
    other.put("k", "other");
    admin(0).assignAlias("alias", "byTemplate");
    Await.until("alias on the other", () -> managers.get(1).getCache("alias") != null);
    RemoteCache<String, String> alias = managers.get(1).getCache("alias");
    assertEquals("v", alias.get("k"));
    admin(0).assignAlias("alias", "byYaml");
    Await.until("alias assigned anew", () -> "other".equals(alias.get("k")));
    assertTrue(
        managers.get(0).getCacheNames().containsAll(Set.of("byTemplate", "byYaml", "default")));
  }

  @Test
  void whatIsPermanent_isThereAfterARestartOfAll() throws InterruptedException {
    admin(0).createCache("kept", "org.infinispan.DIST_SYNC");
    admin(0).assignAlias("known", "kept");
    managers.get(0).<String, String>getCache("___protobuf_metadata").put("x.proto", "message X {}");
    Await.until("kept on both", () -> isKept("a", "kept") && isKept("b", "kept"));
    Await.until(
        "schema kept",
        () ->
            Files.exists(data.resolve("b/schemas.json"))
                && Files.exists(data.resolve("b/settings.json")));
    managers.forEach(RemoteCacheManager::close);
    managers.clear();
    for (ServerProcess server : servers) {
      server.stop();
    }
    servers.clear();
    startServer("b", "--cluster-port", secondPort);
    assertNotNull(managers.get(0).getCache("kept"));
    assertNotNull(managers.get(0).getCache("known"));
    assertEquals(
        "message X {}",
        managers.get(0).<String, String>getCache("___protobuf_metadata").get("x.proto"));
  }
}
