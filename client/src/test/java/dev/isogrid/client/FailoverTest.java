package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Three servers, of which one is killed under load. */
class FailoverTest {
  private static final int KEYS = 300;

  /** Writes and reads in some threads until told to end; counts what it did. */
  private static final class Load {
    final AtomicInteger done = new AtomicInteger();
    final AtomicBoolean ending = new AtomicBoolean();
    private final List<CompletableFuture<@Nullable Void>> threads = new ArrayList<>();

    Load(RemoteCache<Integer, String> cache) {
      for (int thread = 0; thread < 3; thread++) {
        threads.add(CompletableFuture.runAsync(() -> run(cache)));
      }
    }

    private void run(RemoteCache<Integer, String> cache) {
      for (int i = 0; !ending.get(); i = (i + 1) % KEYS) {
        cache.put(i, "v" + i);
        assertEquals("v" + i, cache.get(i));
        done.incrementAndGet();
      }
    }

    void awaitMore(int count) {
      int target = done.get() + count;
      Await.until(
          count + " more operations",
          () -> done.get() >= target || threads.stream().anyMatch(CompletableFuture::isDone));
    }

    void end() {
      ending.set(true);
      threads.forEach(CompletableFuture::join);
    }
  }

  @Test
  void kill_ofOneServer_failsNoOperation() throws IOException {
    try (ServerProcesses servers = new ServerProcesses("failover", 3);
        RemoteCacheManager manager = new RemoteCacheManager(servers.client().build())) {
      RemoteCache<Integer, String> cache = Objects.requireNonNull(manager.getCache("default"));
      ServerProcesses.awaitServers(manager, cache, 3);
      Load load = new Load(cache);
      load.awaitMore(2 * KEYS);
      servers.awaitCopies();
      servers.kill(1);
      load.awaitMore(3 * KEYS);
      ServerProcesses.awaitServers(manager, cache, 2);
      load.awaitMore(KEYS);
      load.end();
      assertTrue(load.done.get() > 6 * KEYS);
      for (int i = 0; i < KEYS; i++) {
        assertEquals("v" + i, cache.get(i));
      }
    }
  }
}
