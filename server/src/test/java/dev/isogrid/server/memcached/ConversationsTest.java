package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.memcached.Conversations.CasValues;
import dev.isogrid.server.memcached.Conversations.Step;
import dev.isogrid.server.memcached.Conversations.Talk;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each conversation of the table, whole, in pieces and in one burst. */
class ConversationsTest {
  /** Longer conversations are sent in larger pieces. */
  private static final int BYTE_BY_BYTE_MAX = 20_000;

  private static final int PIECE_BYTES = 1000;

  static List<Talk> talks() throws IOException {
    return Conversations.all();
  }

  static List<Talk> talksThatFitIntoABurst() throws IOException {
    return Conversations.all().stream().filter(talk -> !talk.isInteractive()).toList();
  }

  @ParameterizedTest
  @MethodSource("talks")
  void talk_requestByRequest_answersAsMemcached(Talk talk) {
    talkInPieces(talk, Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @MethodSource("talks")
  void talk_byteByByte_answersAsMemcached(Talk talk) {
    // A line that memcached accepts only in one piece is refused otherwise.
    talkInPieces(talk, talk.length() <= BYTE_BY_BYTE_MAX ? 1 : PIECE_BYTES);
  }

  @ParameterizedTest
  @MethodSource("talks")
  void talk_withKeysThatWait_answersAsMemcached(Talk talk) {
    try (TestServer server = new TestServer()) {
      server.cluster().letAllWait();
      talkInPieces(server, talk, PIECE_BYTES);
    }
  }

  private static void talkInPieces(Talk talk, int pieceBytes) {
    try (TestServer server = new TestServer()) {
      talkInPieces(server, talk, pieceBytes);
    }
  }

  private static void talkInPieces(TestServer server, Talk talk, int pieceBytes) {
    EmbeddedChannel channel = server.connect();
    CasValues casValues = new CasValues();
    for (Step step : talk.steps()) {
      send(channel, casValues.fill(step.request()), pieceBytes);
      String reply = TestServer.received(channel);
      if (!casValues.matches(step.reply(), reply)) {
        assertEquals(step.reply(), reply, step.request());
      }
    }
    assertEquals(talk.closed(), !channel.isOpen());
    assertFalse(channel.finishAndReleaseAll());
  }

  private static void send(EmbeddedChannel channel, String request, int pieceBytes) {
    byte[] bytes = TestServer.ascii(request);
    for (int at = 0; at < bytes.length && channel.isOpen(); at += pieceBytes) {
      int length = Math.min(pieceBytes, bytes.length - at);
      ByteBuf piece = channel.alloc().buffer(length).writeBytes(bytes, at, length);
      channel.writeInbound(piece);
      assertTrue(piece.refCnt() <= 1);
      if (pieceBytes == Integer.MAX_VALUE) {
        return;
      }
    }
  }

  @ParameterizedTest
  @MethodSource("talksThatFitIntoABurst")
  void talk_inOneBurst_answersAsMemcached(Talk talk) {
    try (TestServer server = new TestServer()) {
      talkInOneBurst(server, talk);
    }
  }

  @ParameterizedTest
  @MethodSource("talksThatFitIntoABurst")
  void talk_inOneBurstWithKeysThatWait_answersAsMemcached(Talk talk) {
    try (TestServer server = new TestServer()) {
      server.cluster().letAllWait();
      talkInOneBurst(server, talk);
    }
  }

  private static void talkInOneBurst(TestServer server, Talk talk) {
    EmbeddedChannel channel = server.connect();
    send(
        channel,
        talk.steps().stream().map(Step::request).collect(Collectors.joining()),
        Integer.MAX_VALUE);
    String expected = talk.steps().stream().map(Step::reply).collect(Collectors.joining());
    String reply = TestServer.received(channel);
    if (!new CasValues().matches(expected, reply)) {
      assertEquals(expected, reply);
    }
    assertEquals(talk.closed(), !channel.isOpen());
    assertFalse(channel.finishAndReleaseAll());
  }

  @Test
  void matches_ofAnotherReplyOrCasUnique_isFalse() {
    CasValues casValues = new CasValues();
    assertTrue(casValues.matches("VALUE a 0 1 {cas:1}\r\n", "VALUE a 0 1 77\r\n"));
    assertTrue(casValues.matches("VALUE a 0 1 {cas:1}\r\n", "VALUE a 0 1 77\r\n"));
    assertFalse(casValues.matches("VALUE a 0 1 {cas:1}\r\n", "VALUE a 0 1 78\r\n"));
    assertFalse(casValues.matches("VALUE a 0 1 {cas:2}\r\n", "VALUE a 1 1 77\r\n"));
    assertFalse(casValues.matches("STORED\r\n", "STORED\n"));
  }
}
