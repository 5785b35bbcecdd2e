package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.DocumentFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConfigurationWatchTest {
  private static final long DEADLINE_SECONDS = 120;
  private static final int CACHES = 1_000;

  private final TestServer server = new TestServer();
  private final EventFeeds feeds = new EventFeeds(() -> 0);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void stateOfManyCaches_isToldAsTheClientTakesIt() throws Exception {
    for (int i = 0; i < CACHES; i++) {
      server.create("c" + i, CacheConfig.UNKNOWN_MEDIA_TYPE);
    }
    int caches = server.context().node().cacheNames().size();
    server.holding = true;
    try (EventFeed feed = feeds.begin("client", () -> true)) {
      feed.source(new ConfigurationWatch(server.context(), feed, DocumentFormat.JSON).start(true));
      server.periodic.getLast().run();
      assertEquals(1, server.held.size(), "no look for changes before the present caches are told");
      Thread telling = Thread.ofVirtual().start(server.held.remove());
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
      int told = 0;
      while (told < caches && !feed.isClosed()) {
        assertTrue(System.nanoTime() < deadline, "told: " + told);
        if (feed.poll() == null) {
          Thread.onSpinWait();
        } else {
          told++;
        }
      }
      telling.join();
      assertEquals(caches, told);
      assertFalse(feed.isClosed());
    }
  }
}
