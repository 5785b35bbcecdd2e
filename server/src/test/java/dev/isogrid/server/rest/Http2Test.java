package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.SaslClient;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2, frame by frame: its features and limits. */
class Http2Test {
  private static final String ENTRY = "/rest/v2/caches/plain/k";
  private static final int A = FrameClient.FIRST_STREAM;
  private static final int B = A + 2;
  private static final int C = B + 2;
  private static final int PROTOCOL_ERROR = 1;
  private static final int FRAME_SIZE_ERROR = 6;
  private static final int REFUSED_STREAM = 7;
  private static final int CALM_DOWN = 11;

  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private final List<FrameClient> clients = new ArrayList<>();
  private final FrameClient client = connect(server.protocol);

  @AfterEach
  void close() {
    clients.forEach(FrameClient::close);
    server.close();
  }

  private FrameClient connect(RestProtocol protocol) {
    FrameClient made = new FrameClient(server, protocol);
    clients.add(made);
    return made;
  }

  private RestProtocol secured() {
    QuickUsers.in(folder, "default").create("ada", "secret", List.of("admin"));
    return server.secured(folder);
  }

  private static String basic(String password) {
    byte[] pair = ("ada:" + password).getBytes(StandardCharsets.US_ASCII);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private void put(String value) {
    client.head(A, false, "PUT", ENTRY).data(A, true, value);
    assertEquals("204", client.status(A));
  }

  @Test
  void settings_areSentFirstAndAnswered() {
    assertEquals(2, client.frames(FrameClient.SETTINGS, 0).size());
    assertEquals(1, client.frames(FrameClient.SETTINGS, 0).getLast().flags());
  }

  @Test
  void entry_isWrittenAndRead() {
    client.head(A, false, "PUT", ENTRY).data(A, false, "va").data(A, true, "lue");
    assertEquals("204", client.status(A));
    client.get(B, ENTRY);
    assertEquals("200", client.status(B));
    assertEquals("value", client.body(B));
    assertTrue(client.isWhole(B));
    client.head(C, true, "HEAD", ENTRY);
    assertEquals("content-length=5", client.field(C, "content-length"));
    assertTrue(client.isWhole(C));
    assertEquals("", client.body(C));
    assertEquals(1, client.frames(FrameClient.HEADERS, C).size());
    assertTrue(client.frames(FrameClient.DATA, C).isEmpty(), "the head ends the stream");
  }

  @Test
  void expectation_isAnsweredBeforeTheBody() {
    client.head(A, false, "PUT", ENTRY, "expect", "100-continue");
    assertEquals("100", client.status(A));
    client.data(A, true, "v");
    assertEquals("204", client.status(A));
  }

  @Test
  void streams_areAnsweredAsTheyAreDone() {
    put("v");
    server.holding = true;
    client.get(B, "/rest/v2/caches").get(C, ENTRY);
    assertEquals("", client.status(B));
    assertEquals("200", client.status(C));
    server.held.remove().run();
    client.collect();
    assertEquals("200", client.status(B));
    assertTrue(client.body(B).contains("plain"));
  }

  @Test
  void bodies_ofSeveralStreams_comeTogether() {
    client.head(A, false, "PUT", "/rest/v2/caches/plain/a");
    client.head(B, false, "PUT", "/rest/v2/caches/plain/b");
    client.data(A, false, "1").data(B, false, "2").data(B, true, "2").data(A, true, "1");
    client.get(C, "/rest/v2/caches/plain/a").get(C + 2, "/rest/v2/caches/plain/b");
    assertEquals("11", client.body(C));
    assertEquals("22", client.body(C + 2));
  }

  @Test
  void reset_inTheMiddleOfABody_isOfThatStreamOnly() {
    client.head(A, false, "PUT", ENTRY).data(A, false, "part").reset(A);
    client.get(B, ENTRY);
    assertEquals("404", client.status(B));
    assertEquals("", client.status(A));
  }

  @Test
  void reset_whileTheReplyIsMade_dropsIt() {
    server.holding = true;
    client.get(A, "/rest/v2/caches").reset(A);
    server.held.remove().run();
    client.collect();
    assertEquals("", client.status(A));
    server.holding = false;
    client.get(B, "/rest/v2/caches");
    assertEquals("200", client.status(B));
  }

  @Test
  void reply_largerThanTheWindow_waitsForRoom() {
    String value = "x".repeat(90_000);
    client.head(A, false, "PUT", ENTRY);
    for (int i = 0; i < 6; i++) {
      client.data(A, i == 5, value.substring(i * 15_000, (i + 1) * 15_000));
    }
    assertEquals("204", client.status(A));
    client.get(B, ENTRY);
    assertEquals(65_535, client.body(B).length());
    assertFalse(client.isWhole(B));
    client.widen(B, 30_000);
    assertEquals(value, client.body(B));
    assertTrue(client.isWhole(B));
  }

  @Test
  void bodyTooLarge_is413_andItsRestNotWanted() {
    client.head(A, false, "PUT", ENTRY, "content-length", "100001");
    assertEquals("413", client.status(A));
    assertTrue(client.isWhole(A));
    assertEquals(0, client.resetBy(A));
    client.get(B, ENTRY);
    assertEquals("404", client.status(B));
  }

  @Test
  void listing_isStreamed() {
    put("v");
    client.get(B, "/rest/v2/caches/plain?action=keys");
    assertEquals("200", client.status(B));
    assertEquals("[\"k\"]", client.body(B));
    assertTrue(client.isWhole(B));
    assertEquals("", client.field(B, "transfer-encoding"));
    assertEquals("", client.field(B, "connection"));
  }

  @Test
  void events_arriveUntilTheClientResets() {
    client.get(A, "/rest/v2/caches/plain?action=listen");
    assertEquals("200", client.status(A));
    client.head(B, false, "PUT", ENTRY).data(B, true, "v");
    client.collect();
    assertTrue(client.body(A).contains("event: cache-entry-created"), client.body(A));
    assertFalse(client.isWhole(A));
    client.reset(A);
    client.get(C, ENTRY);
    assertEquals("200", client.status(C));
  }

  @Test
  void preflight_isAnsweredByTheOrigin() {
    String[] fields = {"origin", "http://page.example", "access-control-request-method", "PUT"};
    client.head(A, true, "OPTIONS", ENTRY, fields);
    assertEquals("200", client.status(A));
    assertEquals(
        "access-control-allow-origin=http://page.example",
        client.field(A, "access-control-allow-origin"));
    fields[1] = "http://other.example";
    client.get(B, ENTRY, fields);
    assertEquals("403", client.status(B));
  }

  @ParameterizedTest
  @CsvSource({
    ":authority, unknown.example, 421",
    "host, other, 400",
    ":path, /a b, 400",
    ":method, G(T, 400",
    "accept, 'a\r\nb: c', 400",
  })
  void request_malformed_isRefused(String name, String value, String status) {
    client.get(A, ENTRY, name, value);
    boolean isReset = client.resetBy(A) == PROTOCOL_ERROR;
    assertTrue(isReset || client.status(A).equals(status), () -> client.status(A));
    client.get(B, ENTRY);
    assertEquals("404", client.status(B));
  }

  @ParameterizedTest
  @CsvSource({"connection, close", "transfer-encoding, chunked", "te, gzip", "UPPER, x"})
  void field_thatHttp2Forbids_resetsTheStream(String name, String value) {
    client.get(A, ENTRY, name, value);
    assertEquals(PROTOCOL_ERROR, client.resetBy(A));
    client.get(B, ENTRY);
    assertEquals("404", client.status(B));
  }

  @Test
  void head_withoutPath_isRefused() {
    Http2Headers head = new DefaultHttp2Headers(false).method("GET").scheme("http");
    client.frame(FrameClient.HEADERS, 5, A, client.encoded(A, head));
    assertTrue(client.resetBy(A) == PROTOCOL_ERROR || client.status(A).equals("400"));
  }

  @Test
  void head_tooLong_isRefused() {
    client.get(A, "/" + "p".repeat(5000));
    assertEquals("414", client.status(A));
    String[] fields = new String[202];
    Arrays.fill(fields, "a");
    client.get(B, ENTRY, fields);
    assertEquals("431", client.status(B));
    client.get(C, ENTRY, "long", "x".repeat(9000));
    assertEquals("431", client.status(C));
  }

  @Test
  void frames_malformed_endTheConnection() {
    assertEquals(PROTOCOL_ERROR, goneBy(0, 0, 0, "x"), "data of no stream");
    assertEquals(PROTOCOL_ERROR, goneBy(1, 5, 2, "\u0082"), "a stream of the server");
    assertEquals(PROTOCOL_ERROR, goneBy(9, 4, 3, "\u0082"), "a head that goes on without a begin");
    assertEquals(FRAME_SIZE_ERROR, goneBy(4, 0, 0, "xxxxx"), "settings cut off");
    assertEquals(FRAME_SIZE_ERROR, goneBy(3, 0, 3, "xxx"), "a reset cut off");
    assertEquals(FRAME_SIZE_ERROR, goneBy(0, 0, 3, "x".repeat(16_385)), "a frame too large");
    assertEquals(9, goneBy(1, 5, 3, "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff"), "a head's encoding");
  }

  private int goneBy(int type, int flags, int stream, String payload) {
    FrameClient other = connect(server.protocol);
    other.frame(type, flags, stream, payload.getBytes(StandardCharsets.ISO_8859_1));
    assertFalse(other.channel.isOpen());
    return other.goneBy();
  }

  @Test
  void frames_unknown_arePassedOver() {
    client.frame(77, 0, 0, new byte[3]);
    client.frame(FrameClient.PING, 0, 0, new byte[8]);
    assertEquals(1, client.frames(FrameClient.PING, 0).getFirst().flags());
    client.get(A, ENTRY);
    assertEquals("404", client.status(A));
  }

  @Test
  void resets_manyInAShortTime_endTheConnection() {
    server.holding = true;
    for (int i = 0; i < 300 && client.channel.isOpen(); i++) {
      client.get(A + 2 * i, "/rest/v2/caches").reset(A + 2 * i);
    }
    assertEquals(CALM_DOWN, client.goneBy());
    assertFalse(client.channel.isOpen());
  }

  @Test
  void head_inManySmallPieces_endsTheConnection() {
    client.frame(FrameClient.HEADERS, 1, A, new byte[0]);
    for (int i = 0; i < 100 && client.channel.isOpen(); i++) {
      client.frame(FrameClient.CONTINUATION, 0, A, new byte[] {(byte) 0x82});
    }
    assertEquals(CALM_DOWN, client.goneBy());
    assertFalse(client.channel.isOpen());
  }

  @Test
  void streams_moreThanAllowed_areRefused() {
    server.holding = true;
    for (int i = 0; i <= Http2Connection.STREAMS_MAX; i++) {
      client.get(A + 2 * i, "/rest/v2/caches");
    }
    assertEquals(REFUSED_STREAM, client.resetBy(A + 2 * Http2Connection.STREAMS_MAX));
    server.held.forEach(Runnable::run);
    client.collect();
    assertEquals("200", client.status(A));
  }

  @Test
  void head_notEnded_closesInTime() {
    client.frame(FrameClient.HEADERS, 1, A, new byte[] {(byte) 0x82});
    client.pass(30);
    assertTrue(client.channel.isOpen());
    client.pass(30);
    assertFalse(client.channel.isOpen());
  }

  @Test
  void body_notEnded_is408InTime() {
    client.head(A, false, "PUT", ENTRY).data(A, false, "x");
    client.pass(60);
    assertEquals("408", client.status(A));
    assertEquals(0, client.resetBy(A));
    client.get(B, ENTRY);
    assertEquals("404", client.status(B));
  }

  @Test
  void body_inAFrameThatComesSlowly_isWaitedFor() {
    client.head(A, false, "PUT", ENTRY);
    byte[] frame = FrameClient.asBytes(0, 1, A, new byte[16_000]);
    client.bytes(Arrays.copyOf(frame, 1000));
    for (int at = 1000; at < frame.length; at += 3000) {
      client.pass(2);
      client.bytes(Arrays.copyOfRange(frame, at, Math.min(frame.length, at + 3000)));
    }
    assertEquals("204", client.status(A));
  }

  @Test
  void stranger_isAskedForALoginBeforeTheBody() {
    FrameClient stranger = connect(secured());
    stranger.head(A, false, "PUT", ENTRY, "content-length", "90000");
    assertEquals("401", stranger.status(A));
    assertEquals(0, stranger.resetBy(A), "the body is too long to be passed over");
    stranger.pass(70);
    assertFalse(stranger.channel.isOpen(), "a stranger may not stay for long");
  }

  @Test
  void login_isRememberedForTheNextStreams() {
    FrameClient user = connect(secured());
    user.get(A, ENTRY, "authorization", basic("secret"));
    assertEquals("404", user.status(A));
    server.holding = true; // where passwords are hashed
    user.get(B, ENTRY, "authorization", basic("secret"));
    assertEquals("404", user.status(B));
    user.get(C, ENTRY, "authorization", basic("wrong"));
    assertEquals("", user.status(C));
    server.held.remove().run();
    user.collect();
    assertEquals("401", user.status(C));
    server.holding = false;
    user.get(C + 2, ENTRY);
    assertEquals("401", user.status(C + 2), "a request without a login is nobody's");
    user.pass(70);
    assertFalse(user.channel.isOpen(), "nobody has logged in for long");
  }

  @Test
  void loginByDigest_isCheckedForEachStream() {
    FrameClient user = connect(secured());
    user.get(A, ENTRY);
    String challenge = user.field(A, "www-authenticate");
    String nonce = challenge.replaceAll(".*nonce=\"([^\"]+)\".*", "$1");
    user.get(B, ENTRY, "authorization", SaslClient.httpDigest("ada", "secret", nonce, 1, ENTRY));
    assertEquals("404", user.status(B));
    user.get(C, ENTRY, "authorization", SaslClient.httpDigest("ada", "secret", nonce, 2, ENTRY));
    assertEquals("404", user.status(C));
    String again = SaslClient.httpDigest("ada", "secret", nonce, 2, ENTRY);
    user.get(C + 2, ENTRY, "authorization", again);
    assertEquals("401", user.status(C + 2), "a proof counts once");
  }

  @Test
  void memoryForBodies_isShared() {
    FrameClient small = connect(server.bounded(Intake.of(1 << 20)));
    String part = "x".repeat(10_000);
    for (int stream = A; stream < A + 2 * 60; stream += 2) {
      small.head(stream, false, "PUT", ENTRY).data(stream, false, part).data(stream, false, part);
    }
    small.pass(60);
    assertTrue(small.frames(FrameClient.HEADERS, A).isEmpty() || !small.status(A).startsWith("2"));
    boolean isRefused = false;
    for (int stream = A; stream < A + 2 * 60; stream += 2) {
      isRefused |= small.status(stream).equals("503");
    }
    assertTrue(isRefused, "some find no memory");
  }

  @Test
  void stop_answersWhatIsUnderWay() {
    server.holding = true;
    client.get(A, "/rest/v2/caches");
    client.head(B, false, "PUT", ENTRY);
    client.channel.pipeline().fireUserEventTriggered(ServerStopping.EVENT);
    client.collect();
    assertEquals(0, client.goneBy());
    assertTrue(client.resetBy(B) > 0, "what has not come in full is given up");
    assertTrue(client.channel.isOpen());
    server.held.remove().run();
    client.collect();
    assertEquals("200", client.status(A));
    assertFalse(client.channel.isOpen());
  }

  @Test
  void clientEndsItsSide_getsItsReplies() {
    server.holding = true;
    client.get(A, "/rest/v2/caches");
    client.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    assertTrue(client.channel.isOpen());
    server.held.remove().run();
    client.collect();
    assertEquals("200", client.status(A));
    assertFalse(client.channel.isOpen());
  }

  @Test
  void frames_damagedAtRandom_neverLeakOrHang() {
    long seed = Long.getLong("seed", 20_261);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      FrameClient victim = new FrameClient(server, server.protocol);
      for (int i = 0; i < 12 && victim.channel.isOpen(); i++) {
        byte[] frame = frameAtRandom(victim, random);
        if (random.nextInt(3) == 0 && frame.length > 0) {
          frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
        }
        victim.bytes(frame);
      }
      victim.pass(100);
      victim.close();
    }
    client.get(A, ENTRY);
    assertFalse(client.status(A).isEmpty());
  }

  private static byte[] frameAtRandom(FrameClient victim, SplittableRandom random) {
    int stream = A + 2 * random.nextInt(4);
    int flags = random.nextInt(2) * 4 + random.nextInt(2);
    Http2Headers head =
        new DefaultHttp2Headers(false)
            .method(random.nextBoolean() ? "PUT" : "GET")
            .path(random.nextBoolean() ? ENTRY : "/rest/v2/caches/plain?action=keys")
            .scheme("http")
            .authority("here");
    return switch (random.nextInt(5)) {
      case 0, 1 -> FrameClient.asBytes(1, flags, stream, victim.encoded(stream, head));
      case 2 -> FrameClient.asBytes(0, flags & 1, stream, new byte[random.nextInt(100)]);
      case 3 -> FrameClient.asBytes(3, 0, stream, new byte[4]);
      default -> {
        byte[] payload = new byte[random.nextInt(20)];
        random.nextBytes(payload);
        yield FrameClient.asBytes(random.nextInt(10), random.nextInt(256), stream, payload);
      }
    };
  }
}
