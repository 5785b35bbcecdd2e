package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Isogrid's Hot Rod client and the official one, on one cache. */
@Tag("interop")
class OwnClientTest {
  private static final List<Object> OBJECTS =
      List.of("", "text", "\u00e4\u20ac", "k".repeat(300), 7, -7L, 1.5, 2.5f, true, 'c');

  @Test
  void values_ofOneClient_areReadByTheOther() {
    try (ServerProcess server = ServerProcess.start();
        RemoteCacheManager own =
            new RemoteCacheManager(ClientConfig.of("hotrod://127.0.0.1:" + server.port()));
        org.infinispan.client.hotrod.RemoteCacheManager official =
            new org.infinispan.client.hotrod.RemoteCacheManager(
                new ConfigurationBuilder().uri("hotrod://127.0.0.1:" + server.port()).build())) {
      RemoteCache<Object, Object> ours = Objects.requireNonNull(own.getCache("default"));
      org.infinispan.client.hotrod.RemoteCache<Object, Object> theirs =
          official.getCache("default");
      for (Object object : OBJECTS) {
        ours.put(object, object);
        assertEquals(object, theirs.get(object));
        theirs.put(object, new ArrayList<>(List.of(object)));
        assertEquals(List.of(object), ours.get(object));
      }
      Instant now = Instant.ofEpochMilli(1_700_000_000_123L);
      ours.put(now, now);
      assertEquals(now, theirs.get(now));
      theirs.put("bytes", new byte[] {1, -1});
      assertArrayEquals(new byte[] {1, -1}, (byte[]) ours.get("bytes"));
      assertEquals(theirs.size(), ours.size());
    }
  }
}
