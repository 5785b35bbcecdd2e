package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.EntryEvent;
import dev.isogrid.client.EntryListener;
import dev.isogrid.client.ListenerOptions;
import dev.isogrid.client.NearCacheConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.testkit.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Isogrid's Hot Rod client and the official one, on one cache. */
@Tag("interop")
class OwnClientTest {
  private static final int TIMEOUT_MILLIS = 20_000;
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

  @Test
  void writes_ofTheOfficialClient_reachListenersNearCachesAndIterators()
      throws InterruptedException {
    try (ServerProcess server = ServerProcess.start();
        RemoteCacheManager own =
            new RemoteCacheManager(
                ClientConfig.builder()
                    .addServer("127.0.0.1", server.port())
                    .operationTimeoutMillis(TIMEOUT_MILLIS)
                    .nearCache("default", NearCacheConfig.invalidated(10).withBloomFilter())
                    .build());
        org.infinispan.client.hotrod.RemoteCacheManager official =
            new org.infinispan.client.hotrod.RemoteCacheManager(
                new ConfigurationBuilder().uri("hotrod://127.0.0.1:" + server.port()).build())) {
      RemoteCache<String, String> ours = Objects.requireNonNull(own.getCache("default"));
      org.infinispan.client.hotrod.RemoteCache<String, String> theirs =
          official.getCache("default");
      BlockingQueue<EntryEvent<String, String>> events = new LinkedBlockingQueue<>();
      ours.addClientListener(
          new EntryListener<String, String>() {
            @Override
            public void onCreated(EntryEvent<String, String> event) {
              events.add(event);
            }

            @Override
            public void onModified(EntryEvent<String, String> event) {
              events.add(event);
            }
          },
          ListenerOptions.DEFAULT.withValues());
      theirs.put("k", "a");
      EntryEvent<String, String> created = events.take();
      assertEquals(EntryEvent.Kind.CREATED, created.kind());
      assertEquals("k", created.key());
      assertEquals("a", created.value());
      assertEquals(theirs.getWithMetadata("k").getVersion(), created.version());
      assertEquals("a", ours.get("k"));
      theirs.put("k", "b");
      assertEquals("b", events.take().value());
      Await.until("k=b", () -> "b".equals(ours.get("k")));
      theirs.put("l", "c");
      assertEquals(Map.of("k", "b", "l", "c"), entries(ours));
      assertEquals(theirs.keySet(), new HashSet<>(ours.keySet()));
    }
  }

  private static Map<String, String> entries(RemoteCache<String, String> cache) {
    Map<String, String> found = new HashMap<>();
    cache.entrySet().forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    return found;
  }
}
