package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory that a client can make the server hold. */
class MemoryTest {
  private static final int VALUE_BYTES = 100_000;
  private static final int GETS = 2_000;

  /**
   * The collected replies, the reply that exceeded the limit, the channel's buffer, and some slack.
   */
  private static final long PENDING_BYTES_MAX = 4 * VALUE_BYTES;

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  /** A client that does not read: nothing is sent while it is shut. */
  private static final class Dam extends ChannelOutboundHandlerAdapter {
    private boolean shut = true;

    @Override
    public void flush(ChannelHandlerContext context) {
      if (!shut) {
        context.flush();
      }
    }
  }

  private static long pendingBytes(EmbeddedChannel channel) {
    return channel.unsafe().outboundBuffer().totalPendingWriteBytes();
  }

  private EmbeddedChannel connectBehind(Dam dam) {
    EmbeddedChannel channel = new EmbeddedChannel(dam);
    server.protocol.install(channel.pipeline());
    return channel;
  }

  private long drained(EmbeddedChannel channel, Dam dam) {
    dam.shut = false;
    channel.flush();
    long bytes = 0;
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      bytes += part.readableBytes();
      part.release();
    }
    return bytes;
  }

  private void putBig() {
    server.ask("set big 0 0 " + VALUE_BYTES, "x".repeat(VALUE_BYTES));
  }

  @Test
  void gets_ofAClientThatDoesNotRead_waitUntilItDoes() {
    putBig();
    Dam dam = new Dam();
    EmbeddedChannel channel = connectBehind(dam);
    byte[] get = TestServer.ascii("get big\r\n");
    for (int i = 0; i < GETS; i++) {
      channel.writeInbound(Unpooled.wrappedBuffer(get));
      assertTrue(pendingBytes(channel) <= PENDING_BYTES_MAX);
    }
    assertFalse(channel.config().isAutoRead());
    long reply = "VALUE big 0 100000\r\n\r\nEND\r\n".length() + (long) VALUE_BYTES;
    assertEquals(GETS * reply, drained(channel, dam));
    assertTrue(channel.config().isAutoRead());
    assertEquals("MN\n", TestServer.ask(channel, "mn"));
    channel.finishAndReleaseAll();
  }

  @Test
  void getOfManyKeys_ofAClientThatDoesNotRead_waitsInTheMiddle() {
    putBig();
    Dam dam = new Dam();
    EmbeddedChannel channel = connectBehind(dam);
    String keys = " big".repeat(GETS);
    channel.writeInbound(Unpooled.wrappedBuffer(TestServer.ascii("gets" + keys + "\r\nmn\r\n")));
    assertTrue(pendingBytes(channel) <= PENDING_BYTES_MAX);
    assertFalse(channel.config().isAutoRead());
    channel.writeInbound(Unpooled.wrappedBuffer(TestServer.ascii("mn\r\n")));
    assertTrue(pendingBytes(channel) <= PENDING_BYTES_MAX);
    String unique = server.ask("gets big").lines().findFirst().orElseThrow().split(" ", -1)[4];
    long hit = ("VALUE big 0 100000 " + unique + "\r\n\r\n").length() + (long) VALUE_BYTES;
    assertEquals(GETS * hit + "END\r\nMN\r\nMN\r\n".length(), drained(channel, dam));
    assertTrue(channel.config().isAutoRead());
    channel.finishAndReleaseAll();
  }

  @Test
  void close_ofAClientThatDoesNotRead_freesEverything() {
    putBig();
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    EmbeddedChannel channel = connectBehind(new Dam());
    channel.config().setAllocator(allocator);
    for (int i = 0; i < GETS; i++) {
      channel.writeInbound(
          allocator.buffer().writeBytes(TestServer.ascii("get big big\r\nset a 0 0 100\r\nx")));
    }
    assertTrue(used(allocator) > 0);
    assertThrows(ClosedChannelException.class, channel::finishAndReleaseAll); // the writes' end
    assertEquals(0, used(allocator));
  }

  private static long used(UnpooledByteBufAllocator allocator) {
    return allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
  }

  @Test
  void quit_whileMuchIsPending_sendsItFirst() {
    putBig();
    Dam dam = new Dam();
    EmbeddedChannel channel = connectBehind(dam);
    channel.writeInbound(
        Unpooled.wrappedBuffer(TestServer.ascii("get big big big big big\r\nquit\r\nmn\r\n")));
    assertTrue(channel.isOpen());
    long hit = "VALUE big 0 100000\r\n\r\n".length() + (long) VALUE_BYTES;
    assertEquals(5 * hit + "END\r\n".length(), drained(channel, dam));
    assertFalse(channel.isOpen());
    channel.finishAndReleaseAll();
  }

  @Test
  void set_ofHugeLength_isSwallowedWithoutMemory() {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    EmbeddedChannel channel = server.connect();
    channel.config().setAllocator(allocator);
    assertEquals(
        "SERVER_ERROR object too large for cache\n",
        TestServer.ask(channel, "set a 0 0 2147483645"));
    byte[] part = new byte[1 << 20];
    for (long left = 2_147_483_645L + 2; left > 0; left -= part.length) {
      int length = (int) Math.min(left, part.length);
      channel.writeInbound(Unpooled.wrappedBuffer(part, 0, length));
      assertTrue(allocator.metric().usedHeapMemory() < part.length);
    }
    assertEquals("MN\n", TestServer.ask(channel, "mn"));
    channel.finishAndReleaseAll();
  }

  @Test
  void line_thatNeverEnds_closesTheConnection() {
    for (String begin : new String[] {"x", "set ", "gat 0 ", " ".repeat(101) + "get "}) {
      EmbeddedChannel channel = server.connect();
      String line = begin + "x".repeat(CommandLine.LENGTH_USUAL - begin.length());
      channel.writeInbound(Unpooled.wrappedBuffer(TestServer.ascii(line)));
      assertTrue(channel.isOpen(), begin);
      channel.writeInbound(Unpooled.wrappedBuffer(TestServer.ascii("x")));
      assertFalse(channel.isOpen(), begin);
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void lineOfAGet_mayBeAsLongAsTheContent() {
    EmbeddedChannel channel = server.connect();
    byte[] line = TestServer.ascii("  get " + "a ".repeat(TestServer.CONTENT_LENGTH_MAX / 2 - 3));
    assertEquals(TestServer.CONTENT_LENGTH_MAX, line.length);
    channel.writeInbound(Unpooled.wrappedBuffer(line));
    assertTrue(channel.isOpen());
    channel.writeInbound(Unpooled.wrappedBuffer(TestServer.ascii("a")));
    assertFalse(channel.isOpen());
    channel.finishAndReleaseAll();
  }

  @Test
  void line_thatIsLongButEnds_isAnsweredAsItIs() {
    String key = "k".repeat(5000);
    assertEquals(
        "CLIENT_ERROR bad command line format\nERROR\nERROR\nMN\n",
        server.ask("set " + key + " 0 0 1", "x", key, "mn"));
  }
}
