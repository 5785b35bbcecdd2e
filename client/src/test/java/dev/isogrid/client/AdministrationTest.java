package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The administration of caches, of a real server. */
@DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // has no tasks
class AdministrationTest {
  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCacheManagerAdmin admin;

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    manager = new RemoteCacheManager(server.client().build());
    admin = manager.administration().withFlags(AdminFlag.VOLATILE);
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  @Test
  void caches_areCreatedAndRemoved() {
    RemoteCache<String, String> created =
        admin.createCache("a", new StringConfiguration("<local-cache statistics=\"true\"/>"));
    assertNull(created.put("k", "v"));
    assertSame(created, manager.getCache("a"));
    assertTrue(manager.getCacheNames().containsAll(List.of("a", "default")));
    assertThrows(ServerErrorException.class, () -> admin.createCache("a", (String) null));
    assertSame(created, admin.getOrCreateCache("a", (String) null));
    assertEquals("v", created.get("k"));
    admin.removeCache("a");
    admin.removeCache("a");
    assertFalse(manager.getCacheNames().contains("a"));
    assertNull(manager.getCache("a"));
    assertThrows(ServerErrorException.class, () -> created.get("k"));
    RemoteCache<String, String> anew =
        admin.getOrCreateCache("a", new StringConfiguration("{\"local-cache\":{}}"));
    assertNotSame(created, anew);
    assertNull(anew.get("k"));
    admin.removeCache("a");
  }

  @Test
  void caches_haveTemplatesAndAliases() {
    admin.createTemplate("t", new StringConfiguration("<local-cache/>"));
    assertTrue(admin.getTemplateNames().contains("t"));
    RemoteCache<String, String> cache = admin.createCache("of-template", "t");
    cache.put("k", "v");
    admin.removeTemplate("t");
    assertFalse(admin.getTemplateNames().contains("t"));
    manager.administration().assignAlias("other-name", "of-template");
    RemoteCache<String, String> alias = manager.getCache("other-name");
    assertEquals("v", alias == null ? null : alias.get("k"));
    assertThrows(ServerErrorException.class, () -> admin.createCache("b", "no-such-template"));
    assertThrows(
        ServerErrorException.class, () -> admin.createCache("b", new StringConfiguration("<x")));
  }

  @Test
  void attributes_areChanged() {
    admin.createCache(
        "attributes",
        new StringConfiguration("<local-cache><memory max-count=\"10\"/></local-cache>"));
    admin.updateConfigurationAttribute("attributes", "memory.max-count", "20");
    assertThrows(
        ServerErrorException.class,
        () -> admin.updateConfigurationAttribute("attributes", "no.such", "20"));
    assertThrows(
        ServerErrorException.class,
        () -> admin.updateConfigurationAttribute("none", "memory.max-count", "20"));
  }

  @Test
  void namesInJson_areRead() {
    assertEquals(List.of(), NameList.read("[]"));
    assertEquals(
        List.of("a", "b\"\\/\n", "\u00e4"),
        NameList.read(" [ \"a\" , \"b\\\"\\\\\\/\\n\",\"\\u00e4\" ] "));
    for (String wrong :
        List.of("", "[", "[\"a\"", "[\"a\" \"b\"]", "[a]", "[\"\\x\"]", "[\"\\u00g0\"]")) {
      assertThrows(HotRodClientException.class, () -> NameList.read(wrong));
    }
  }
}
