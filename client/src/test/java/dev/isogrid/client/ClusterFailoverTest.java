package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Iterations, listeners and near caches of two servers, of which one is killed. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ClusterFailoverTest {
  private static final int ENTRIES = 2_000;

  private ServerProcesses servers;

  @BeforeEach
  void start() throws IOException {
    servers = new ServerProcesses("views", 2);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  @Test
  void kill_ofOneServer_losesAndRepeatsNothing() {
    try (RemoteCacheManager manager = new RemoteCacheManager(servers.client().build())) {
      RemoteCache<Integer, String> cache = Objects.requireNonNull(manager.getCache("default"));
      ServerProcesses.awaitServers(manager, cache, 2);
      Map<Integer, String> expected = new HashMap<>();
      for (int i = 0; i < ENTRIES; i++) {
        expected.put(i, "v" + i);
      }
      cache.putAll(expected);
      Set<Integer> some = Set.of(1, 5, 100);
      Set<Integer> ofSome = new HashSet<>(cache.keySet(some));
      Set<Integer> others = new HashSet<>();
      for (int segment = 0; segment < 256; segment++) {
        if (!some.contains(segment)) {
          others.add(segment);
        }
      }
      assertEquals(ENTRIES, ofSome.size() + cache.keySet(others).size());
      Map<Integer, String> found = new HashMap<>();
      try (CloseableIterator<Map.Entry<Integer, String>> entries = cache.retrieveEntries(10)) {
        while (entries.hasNext()) {
          Map.Entry<Integer, String> entry = entries.next();
          assertNull(found.put(entry.getKey(), entry.getValue()));
          if (found.size() == ENTRIES / 4) {
            servers.kill(1);
          } else if (found.size() == ENTRIES / 2) {
            ServerProcesses.awaitServers(manager, cache, 1);
          }
        }
      }
      assertEquals(expected, found);
    }
  }
}
