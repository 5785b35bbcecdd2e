package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EventFeedsTest {
  private static final int BYTES_MAX = 20_000;

  private final EventFeeds feeds = new EventFeeds(() -> 0, BYTES_MAX);

  private EventFeed begin(String client) {
    return feeds.begin(client, () -> true);
  }

  @Test
  void begin_byOneClient_leavesRoomForOthers() {
    List<EventFeed> begun = new ArrayList<>();
    for (int i = 0; i < EventFeeds.FEEDS_MAX / 2; i++) {
      begun.add(begin("greedy"));
    }
    RestProblem refusal = assertThrows(RestProblem.class, () -> begin("greedy"));
    assertEquals(503, refusal.status().code());
    assertTrue(refusal.text().contains("client=greedy, streams=128"), refusal.text());
    try (EventFeed other = begin("other")) {
      assertFalse(other.isClosed());
    }
    begun.removeLast().close();
    begin("greedy").close();
  }

  @Test
  void add_byOneFeed_leavesMemoryForOthers() {
    EventFeed full = begin("a");
    while (!full.isClosed()) {
      full.add("event", 900, () -> "x");
      assertTrue(feeds.bytesWaiting() <= BYTES_MAX / 2, () -> "waiting: " + feeds.bytesWaiting());
    }
    assertEquals(0, feeds.bytesWaiting());
    EventFeed other = begin("b");
    other.add("event", 900, () -> "x");
    assertFalse(other.isClosed());
    assertEquals(1000, feeds.bytesWaiting());
    assertNotNull(other.poll());
    assertNull(other.poll());
    assertEquals(0, feeds.bytesWaiting());
  }

  @Test
  void close_ofAFeedWithEvents_givesTheirMemoryBack() {
    EventFeed feed = begin("a");
    feed.add("event", 900, () -> "x");
    assertTrue(feed.put("event", "1", "text"));
    feed.close();
    feed.close();
    assertEquals(0, feeds.bytesWaiting());
  }

  @Test
  void put_ofALargeEvent_isOnePerServerUntilItIsSent() {
    EventFeed feed = begin("a");
    assertTrue(feed.put("event", "1", "x".repeat(1 << 20)));
    assertFalse(feeds.tryLarge());
    assertNotNull(feed.poll());
    assertFalse(feeds.tryLarge(), "not sent yet");
    assertNull(feed.poll());
    assertTrue(feeds.tryLarge());
    feeds.endLarge();
    assertTrue(feed.put("event", "2", "x".repeat(1 << 20)));
    feed.close();
    assertTrue(feeds.tryLarge());
  }

  @Test
  void putLarge_makesItsText_whenItIsItsTurn() throws InterruptedException {
    EventFeed first = begin("a");
    EventFeed second = begin("b");
    assertTrue(first.putLarge("event", "1", () -> "x"));
    AtomicBoolean isMade = new AtomicBoolean();
    CountDownLatch waits = new CountDownLatch(1);
    second.onEvents(waits::countDown);
    Thread putting =
        Thread.ofVirtual()
            .start(() ->
                second.putLarge(
                    "event",
                    "2",
                    () -> {
                      isMade.set(true);
                      return "y";
                    }));
    waits.await();
    assertFalse(isMade.get());

    assertNotNull(first.poll());
    assertNull(first.poll());
    putting.join();
    assertTrue(isMade.get());
    assertNotNull(second.poll());
  }

  @Test
  void putLarge_thatFails_letsOthersGoOn() {
    EventFeed feed = begin("a");
    assertThrows(
        IllegalStateException.class,
        () ->
            feed.putLarge(
                "event",
                "1",
                () -> {
                  throw new IllegalStateException("no text");
                }));
    assertTrue(feeds.tryLarge());
  }
}
