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

/** Each conversation of the binary table, whole, in pieces and in one burst. */
class BinaryConversationsTest {
  private static final int ITEM_MAX = 1 << 20;

  /** Longer requests are sent in larger pieces. */
  private static final int BYTE_BY_BYTE_MAX = 5_000;

  private static final int PIECE_BYTES = 1000;

  static List<Talk> talks() throws IOException {
    return BinaryPackets.all();
  }

  static List<Talk> talksThatFitIntoABurst() throws IOException {
    return BinaryPackets.all().stream().filter(talk -> !talk.isInteractive()).toList();
  }

  private static EmbeddedChannel connect(TestServer server) {
    EmbeddedChannel channel = new EmbeddedChannel();
    server.protocol.withItemSizeMax(ITEM_MAX).install(channel.pipeline());
    return channel;
  }

  @ParameterizedTest
  @MethodSource("talks")
  void talk_requestByRequest_answersAsMemcached(Talk talk) {
    try (TestServer server = new TestServer()) {
      talkInPieces(server, talk, Integer.MAX_VALUE);
    }
  }

  @ParameterizedTest
  @MethodSource("talks")
  void talk_byteByByte_answersAsMemcached(Talk talk) {
    try (TestServer server = new TestServer()) {
      talkInPieces(server, talk, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("talks")
  void talk_withKeysThatWait_answersAsMemcached(Talk talk) {
    try (TestServer server = new TestServer()) {
      server.cluster().letAllWait();
      talkInPieces(server, talk, PIECE_BYTES);
    }
  }

  private static void talkInPieces(TestServer server, Talk talk, int pieceBytes) {
    EmbeddedChannel channel = connect(server);
    CasValues casValues = new CasValues();
    for (Step step : talk.steps()) {
      send(channel, BinaryPackets.encode(casValues.fill(step.request())), pieceBytes);
      String reply = BinaryPackets.decode(TestServer.received(channel));
      if (!casValues.matches(step.reply(), reply)) {
        assertEquals(step.reply(), reply, step.request());
      }
    }
    assertEquals(talk.closed(), !channel.isOpen());
    assertFalse(channel.finishAndReleaseAll());
  }

  private static void send(EmbeddedChannel channel, byte[] bytes, int pieceBytes) {
    int size = bytes.length > BYTE_BY_BYTE_MAX ? Math.max(PIECE_BYTES, pieceBytes) : pieceBytes;
    for (int at = 0; at < bytes.length && channel.isOpen(); ) {
      int length = Math.min(size, bytes.length - at);
      ByteBuf piece = channel.alloc().buffer(length).writeBytes(bytes, at, length);
      channel.writeInbound(piece);
      assertTrue(piece.refCnt() <= 1);
      at += length;
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
    EmbeddedChannel channel = connect(server);
    String requests = talk.steps().stream().map(Step::request).collect(Collectors.joining());
    send(channel, BinaryPackets.encode(requests), Integer.MAX_VALUE);
    String expected = talk.steps().stream().map(Step::reply).collect(Collectors.joining());
    String reply = BinaryPackets.decode(TestServer.received(channel));
    if (!new CasValues().matches(expected, reply)) {
      assertEquals(expected, reply);
    }
    assertEquals(talk.closed(), !channel.isOpen());
    assertFalse(channel.finishAndReleaseAll());
  }

  @Test
  void protocols_onTheSameServer_seeTheSameEntries() {
    try (TestServer server = new TestServer()) {
      EmbeddedChannel binary = connect(server);
      send(binary, BinaryPackets.encode("set key=a x=0000000700000000 v=x"), PIECE_BYTES);
      TestServer.received(binary);
      assertEquals(
          "VALUE a 7 1\nx\nEND\nSTORED\n", server.ask("get a", "cas a 9 0 1 " + cas(server), "y"));
      send(binary, BinaryPackets.encode("get key=a"), PIECE_BYTES);
      String unique = cas(server);
      assertEquals(
          "get st=00 x=00000009 v=y cas=" + unique + "\n",
          BinaryPackets.decode(TestServer.received(binary)));
      binary.finishAndReleaseAll();
    }
  }

  private static String cas(TestServer server) {
    return server.ask("gets a").lines().findFirst().orElseThrow().split(" ", -1)[4];
  }
}
