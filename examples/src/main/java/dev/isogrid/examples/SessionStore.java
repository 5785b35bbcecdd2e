package dev.isogrid.examples;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.Grid;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sessions that end when nobody uses them for a while; a listener hears of the end. */
public final class SessionStore {
  record Session(String user, Instant since, List<String> cart) {}

  private SessionStore() {}

  /**
   * Runs the example.
   *
   * @param args none
   */
  public static void main(String[] args) throws InterruptedException {
    CacheConfig config =
        CacheConfig.builder()
            .maxIdle(300, TimeUnit.MILLISECONDS) // half an hour in a real shop
            .reaperInterval(100, TimeUnit.MILLISECONDS) // the event comes this late at most
            .build();
    try (Grid grid = Grid.start()) {
      Cache<UUID, Session> sessions = grid.cache("sessions", config);
      CountDownLatch ended = new CountDownLatch(1);
      sessions.addListener(event -> {
        if (event.kind() == CacheEvent.Kind.EXPIRED) {
          System.out.println("session ended");
          ended.countDown();
        }
      });
      UUID id = UUID.randomUUID();
      sessions.put(id, new Session("ada", Instant.now(), List.of()));
      sessions.computeIfPresent(
          id, (key, session) -> new Session(session.user(), session.since(), List.of("book")));
      System.out.println("cart of the session: " + sessions.get(id).cart());
      ended.await();
      System.out.println("sessions left: " + sessions.size());
    }
  }
}
