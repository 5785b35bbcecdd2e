package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IgnoredCacheTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void ignoredCache_isRefused_untilServersTakeItBack() {
    server.context.catalog().begin();
    String cache = server.context.memcachedCache();
    server.ask("set a 0 0 1", "x");
    server.context.catalog().ignored().add(cache);
    String refused = server.ask("get a", "set a 0 0 1", "y", "version");
    assertTrue(
        refused.startsWith("SERVER_ERROR Cache with name '%s' is temp".formatted(cache)), refused);
    assertTrue(refused.contains("VERSION"), refused);
    server.context.catalog().ignored().remove(cache);
    assertEquals("VALUE a 0 1\nx\nEND\n", server.ask("get a"));
  }
}
