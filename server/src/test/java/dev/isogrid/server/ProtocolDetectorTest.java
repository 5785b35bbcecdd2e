package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.ProblemLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProtocolDetectorTest {
  private static final String BAD_REQUEST =
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

  /** Protocols by name, each with its received bytes. */
  private final StringBuilder received = new StringBuilder();

  private final List<ByteBuf> buffers = new ArrayList<>();

  private Services.Service service(String name) {
    Consumer<ChannelPipeline> handlers =
        pipeline ->
            pipeline.addLast(
                name,
                new ChannelInboundHandlerAdapter() {
                  @Override
                  public void channelRead(ChannelHandlerContext context, Object message) {
                    ByteBuf input = (ByteBuf) message;
                    received
                        .append(name)
                        .append(':')
                        .append(input.toString(StandardCharsets.ISO_8859_1));
                    input.release();
                  }
                });
    return new Services.Service(handlers, 0, new ChannelInboundHandlerAdapter());
  }

  private EmbeddedChannel channel(Services services) {
    return new EmbeddedChannel(
        new ProtocolDetector(services, new ProblemLog(System::nanoTime), null));
  }

  private EmbeddedChannel channel() {
    return channel(new Services(service("hotrod"), service("rest"), service("memcached")));
  }

  private ByteBuf bytes(String text) {
    ByteBuf buffer = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    buffers.add(buffer);
    return buffer;
  }

  private void assertAllReleased() {
    buffers.forEach(buffer -> assertEquals(0, buffer.refCnt()));
  }

  private static String sent(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }

  @Test
  void channelRead_wordInOnePiece_passesAllOnAndGoesAway() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(bytes("get a\r\n"));
    assertEquals("memcached:get a\r\n", received.toString());
    assertNull(channel.pipeline().get(ProtocolDetector.class));
    channel.writeInbound(bytes("rest"));
    assertEquals("memcached:get a\r\nmemcached:rest", received.toString());
    assertAllReleased();
  }

  @Test
  void channelRead_wordInPieces_passesOnWhatTheyMake() {
    EmbeddedChannel channel = channel();
    for (String piece : List.of("O", "PT", "", "IONS", " / HTTP/1.1")) {
      assertEquals("", received.toString());
      channel.writeInbound(bytes(piece));
    }
    assertEquals("rest:OPTIONS / HTTP/1.1", received.toString());
    assertAllReleased();
  }

  @Test
  void channelRead_hotRodMagic_isHotRod() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(bytes("\u00a0\1"));
    assertEquals("hotrod:\u00a0\1", received.toString());
  }

  @Test
  void channelRead_unknown_isAnswered400AndClosed() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(bytes("hello world\r\n"));
    assertEquals(BAD_REQUEST, sent(channel));
    assertFalse(channel.isOpen());
    assertAllReleased();
  }

  @Test
  void channelRead_http2_isRest() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    assertEquals("rest:PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", received.toString());
  }

  @Test
  void channelRead_resp_isAnsweredAnErrorAndClosed() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(bytes("*1\r\n$4\r\nPING\r\n"));
    assertTrue(sent(channel).startsWith("-ERR RESP is not supported"));
    assertFalse(channel.isOpen());
  }

  @Test
  void channelRead_memcachedBinary_isForMemcached() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(bytes("\u0080\0"));
    assertEquals("memcached:\u0080\0", received.toString());
    assertAllReleased();
  }

  @Test
  void channelRead_protocolSwitchedOff_isClosed() {
    EmbeddedChannel channel = channel(new Services(null, service("rest"), null));
    channel.writeInbound(bytes("get a\r\n"));
    assertFalse(channel.isOpen());
    assertEquals("", received.toString());
    assertAllReleased();
  }

  @Test
  void timeout_wordNotEnded_closes() {
    EmbeddedChannel channel = channel();
    channel.freezeTime();
    channel.writeInbound(bytes("ge"));
    channel.advanceTimeBy(ProtocolDetector.WORD_TIMEOUT_SECONDS - 1, TimeUnit.SECONDS);
    channel.writeInbound(bytes("t"));
    assertTrue(channel.isOpen());
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertFalse(channel.isOpen(), "a second piece must not extend the time");
  }

  @Test
  void timeout_nothingSentOrWordEnded_staysOpen() {
    EmbeddedChannel silent = channel();
    silent.freezeTime();
    silent.advanceTimeBy(1, TimeUnit.DAYS);
    silent.runScheduledPendingTasks();
    assertTrue(silent.isOpen());

    EmbeddedChannel detected = channel();
    detected.freezeTime();
    detected.writeInbound(bytes("g"));
    detected.writeInbound(bytes("et a\r\n"));
    detected.advanceTimeBy(1, TimeUnit.DAYS);
    detected.runScheduledPendingTasks();
    assertTrue(detected.isOpen());
  }

  @Test
  void channelRead_randomBytesInRandomPieces_decidesOrClosesWithoutLeak() {
    long seed = Long.getLong("seed", 20261121);
    SplittableRandom random = new SplittableRandom(seed);
    List<@Nullable String> starts =
        List.of("", "", "get ", "GET ", "ver", "PRI * HTTP/2.0\r\n", "\u00a0", "*", "CONN");
    for (int run = 0; run < 2000; run++) {
      received.setLength(0);
      StringBuilder input = new StringBuilder(starts.get(random.nextInt(starts.size())));
      for (int i = random.nextInt(40); i > 0; i--) {
        input.append((char) random.nextInt(256));
      }
      EmbeddedChannel channel = channel();
      for (int from = 0; from < input.length() && channel.isOpen(); ) {
        int to = Math.min(input.length(), from + 1 + random.nextInt(8));
        channel.writeInbound(bytes(input.substring(from, to)));
        from = to;
      }
      String message = "seed=" + seed + ", run=" + run;
      boolean decided = received.length() > 0;
      boolean undecided = input.length() < Detection.LENGTH_MAX;
      assertTrue(decided || !channel.isOpen() || undecided, message);
      sent(channel);
      channel.finishAndReleaseAll();
      assertAllReleased();
      buffers.clear();
    }
  }
}
