package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.Intake;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that arrive slowly or incompletely: the limits of their memory and time. */
class UnfinishedRequestTest {
  private static final int PUT = 0x01;
  private static final int SERVER_ERROR = 0x85;
  private static final RequestBytes LONG_PUT =
      new RequestBytes(31, PUT).id(9).cache("c").string("k").u8(0x88).string("v".repeat(50_000));

  private final TestServer server = new TestServer().with("c");

  @AfterEach
  void close() {
    server.close();
  }

  private static byte[] begin(int length) {
    return Arrays.copyOf(LONG_PUT.bytes(), length);
  }

  private static byte[] rest(int from) {
    return Arrays.copyOfRange(LONG_PUT.bytes(), from, LONG_PUT.bytes().length);
  }

  @Test
  void request_forWhichThereIsNoMemory_waitsForIt() {
    Intake intake = Intake.of(69_000);
    HotRodProtocol protocol = server.bounded(intake);
    try (TestServer.Connection first = server.connect(protocol);
        TestServer.Connection second = server.connect(protocol)) {
      first.send(begin(30_000));
      second.send(begin(30_000));
      second.send(Arrays.copyOfRange(LONG_PUT.bytes(), 30_000, 40_000));
      assertFalse(second.channel.config().isAutoRead());
      first.channel.close();
      second.runPendingTasks();
      assertTrue(second.channel.config().isAutoRead());
      second.send(rest(40_000));
      assertEquals(0, second.response(LONG_PUT).status());
    }
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void request_thatWaitsForTooLong_isRefused() {
    Intake intake = Intake.of(69_000);
    HotRodProtocol protocol = server.bounded(intake);
    try (TestServer.Connection first = server.connect(protocol);
        TestServer.Connection second = server.connect(protocol)) {
      first.send(begin(30_000));
      second.channel.freezeTime();
      second.send(begin(30_000));
      second.send(Arrays.copyOfRange(LONG_PUT.bytes(), 30_000, 40_000));
      second.pass(10);
      Response refusal = second.response(LONG_PUT);
      assertEquals(SERVER_ERROR, refusal.status());
      assertEquals(9, refusal.id());
      assertTrue(refusal.field("message").contains("out of memory for requests"));
      second.passFarewell();
      assertFalse(second.channel.isOpen());
      first.send(rest(30_000));
      assertEquals(0, first.response(LONG_PUT).status());
    }
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void request_thatStops_isRefusedInTime() {
    Intake intake = Intake.of(1 << 20);
    try (TestServer.Connection connection = server.connect(server.bounded(intake))) {
      connection.channel.freezeTime();
      connection.send(begin(30_000));
      connection.pass(29);
      assertEquals(0, connection.received().length);
      connection.pass(21);
      Response refusal = connection.response(LONG_PUT);
      assertEquals(SERVER_ERROR, refusal.status());
      assertTrue(refusal.field("message").contains("request not sent in time"));
      assertEquals(0, intake.requests().bytesTaken());
    }
  }

  @Test
  void request_thatComesSlowlyButSteadily_isTaken() {
    try (TestServer.Connection connection = server.connect()) {
      connection.channel.freezeTime();
      for (int at = 0; at < 50_000; at += 1100) {
        connection.send(Arrays.copyOfRange(LONG_PUT.bytes(), at, Math.min(50_000, at + 1100)));
        connection.pass(1);
      }
      connection.send(rest(50_000));
      assertEquals(0, connection.response(LONG_PUT).status());
      connection.pass(3600);
      assertTrue(connection.channel.isOpen());
    }
  }

  @Test
  void smallCompleteRequests_takeNothingOfTheBudget() {
    Intake intake = new Intake(new InputBudget(1), new InputBudget(1));
    RequestBytes put = new RequestBytes(31, PUT).cache("c").string("k").u8(0x88).string("v");
    try (TestServer.Connection connection = server.connect(server.bounded(intake))) {
      assertEquals(0, connection.call(put).status());
      assertEquals(0, connection.call(put).status());
    }
  }

  @Test
  void request_thatEndsInAnError_isAnsweredAndTheNextGoesOn() {
    RequestBytes put = new RequestBytes(31, PUT).cache("c").string("k").u8(0x88).string("v");
    try (TestServer.Connection connection = server.connect()) {
      server.broken = new StackOverflowError();
      assertEquals(SERVER_ERROR, connection.call(put).status());
      server.broken = null;
      assertEquals(0, connection.call(put).status());
    }
  }
}
