package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.StandInEngine;
import dev.isogrid.server.net.ServerStopping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests on a clustered cache that may have to wait; the test decides when they end. */
class WaitingRequestTest {
  private static final String FAR = "/rest/v2/caches/plain/far";
  private static final String NEAR = "/rest/v2/caches/plain/near";

  private final TestServer server = new TestServer();
  private final StandInEngine engine = server.cluster("plain");
  private final TestClient client = server.connect();

  WaitingRequestTest() {
    server.holding = true;
    engine.letWait("far");
  }

  @AfterEach
  void close() {
    finishAll();
    server.close();
  }

  private static String put(String path, String body) {
    return "PUT %s HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s".formatted(path, body.length(), body);
  }

  private static String get(String path) {
    return "GET %s HTTP/1.1\r\n\r\n".formatted(path);
  }

  private void finishOne() {
    server.held.remove().run();
    client.collect();
  }

  private void finishAll() {
    while (!server.held.isEmpty()) {
      finishOne();
    }
  }

  @Test
  void requestsThatNeedNotWait_areAnsweredAtOnce() {
    assertEquals(204, client.put(NEAR, "x").status());
    assertEquals("x", client.get(NEAR).text());
    assertTrue(server.held.isEmpty());
  }

  @Test
  void writesWithoutConditions_areOneOperation() {
    assertEquals(204, client.put(NEAR, "x").status());
    assertTrue(engine.isOneOperation);
    client.send(
        "PUT %s HTTP/1.1\r\nIf-None-Match: *\r\nContent-Length: 1\r\n\r\ny".formatted(NEAR));
    assertEquals(412, client.next(false).status());
    assertFalse(engine.isOneOperation);
    client.send("DELETE %s HTTP/1.1\r\n\r\n".formatted(NEAR));
    assertEquals(204, client.next(false).status());
    assertTrue(engine.isOneOperation);
  }

  @Test
  void requestsBehindOneThatWaits_areAnsweredAfterIt() {
    client.send(put(FAR, "f") + put(NEAR, "n") + get(NEAR));
    client.send(get(FAR));
    assertEquals(0, client.received().length);
    assertFalse(client.channel.config().isAutoRead());
    finishOne();
    assertEquals(204, client.next(false).status());
    assertEquals(204, client.next(false).status());
    assertEquals("n", client.next(false).text());
    finishOne();
    assertEquals("f", client.next(false).text());
    assertTrue(client.channel.config().isAutoRead());
  }

  @Test
  void largeBodies_waitWithTheirRequest() {
    String large = "y".repeat(90_000);
    for (int from = 0; from < 3; from++) {
      client.send(put(FAR, large));
      finishOne();
      assertEquals(204, client.next(false).status());
      client.send(get(FAR));
      finishOne();
      assertEquals(large, client.next(false).text());
    }
    client.send("HEAD %s HTTP/1.1\r\n\r\n".formatted(FAR));
    finishOne();
    assertEquals("90000", client.next(true).header("content-length"));
    client.send("DELETE %s HTTP/1.1\r\n\r\n".formatted(FAR));
    finishOne();
    assertEquals(204, client.next(false).status());
  }

  private TestResponse after(GridException failure) {
    engine.before =
        _ -> {
          throw failure;
        };
    client.send(get(FAR));
    finishOne();
    return client.next(false);
  }

  @Test
  void requestThatMayBeTriedAgain_is503WithATime() {
    TestResponse response = after(new RetryableGridException("no primary; try again"));
    assertEquals(503, response.status());
    assertEquals("1", response.header("retry-after"));
    assertEquals("no primary; try again", response.text());
  }

  @Test
  void requestOfUnknownOutcome_is504() {
    assertEquals(504, after(new IndeterminateGridException("no answer")).status());
  }

  @Test
  void stopOfTheServer_letsTheRequestBeAnsweredAndEndsTheConnection() {
    client.send(put(FAR, "f") + get(NEAR));
    client.channel.pipeline().fireUserEventTriggered(ServerStopping.EVENT);
    assertTrue(client.isOpen());
    finishOne();
    assertEquals(204, client.next(false).status());
    assertEquals(0, client.received().length);
    assertFalse(client.isOpen());
  }

  @Test
  void listing_ofClusteredCache_isWrittenAside() {
    for (int i = 0; i < 3000; i++) {
      client.put("/rest/v2/caches/plain/k" + i, "some value of some length " + i);
    }
    client.send(get("/rest/v2/caches/plain?action=entries") + get(NEAR));
    finishOne(); // finds the answer
    int rounds = 0;
    for (; !server.held.isEmpty(); rounds++) {
      finishOne();
    }
    assertTrue(rounds > 1);
    String listing = client.next(false).text();
    assertEquals(3000, listing.split("\"key\"", -1).length - 1);
    assertTrue(listing.startsWith("[{") && listing.endsWith("}]"));
    assertEquals(404, client.next(false).status());
  }

  @Test
  void listingThatFails_isBrokenOff() {
    client.put(NEAR, "x");
    client.send(get("/rest/v2/caches/plain?action=keys"));
    finishOne();
    engine.before =
        _ -> {
          throw new RetryableGridException("no primary; try again");
        };
    finishOne();
    assertFalse(client.isOpen());
  }

  @Test
  void errorInTheEngine_is500AndTheConnectionGoesOn() {
    engine.before =
        _ -> {
          throw new AssertionError("broken");
        };
    client.send(put(FAR, "x"));
    finishOne();
    TestResponse response = client.next(false);
    assertEquals(500, response.status());
    assertEquals("broken", response.text());
    assertTrue(client.isOpen());
  }

  @Test
  void connectionThatEndsWhileARequestWaits_leavesNothingBehind() {
    client.send(put(FAR, "x".repeat(90_000)) + get(NEAR));
    client.channel.close();
    finishAll();
    assertTrue(server.held.isEmpty());
  }
}
