package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.Traffic;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private final Traffic traffic = new Traffic();
  private final ProblemLog problems = new ProblemLog(System::nanoTime);
  private final Connections connections = new Connections(3, 2, traffic, problems);

  /** Gives back what it gets. */
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.writeAndFlush(message);
    }
  }

  private EmbeddedChannel connect() {
    return new EmbeddedChannel(connections, new Echo(), new ConnectionTail(connections, problems));
  }

  @Test
  void traffic_requestsAndReplies_areCounted() {
    EmbeddedChannel channel = connect();
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[5]));
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[7]));
    assertEquals(12, traffic.bytesRead());
    assertEquals(12, traffic.bytesWritten());
    channel.releaseOutbound();
  }

  @Test
  void channelActive_aboveTheLimit_isRefusedUntilOneLeaves() {
    EmbeddedChannel first = connect();
    assertTrue(connect().isOpen());
    assertFalse(connect().isOpen());
    assertEquals(2, traffic.connectionsOpen());
    first.close();
    assertTrue(connect().isOpen());
    assertEquals(2, traffic.connectionsOpen());
    assertEquals(4, traffic.connectionsTotal());
  }

  @Test
  void closeAll_sentReplies_closesNowAndLater() throws InterruptedException {
    EmbeddedChannel channel = connect();
    connections.closeAll(System::nanoTime, TimeUnit.SECONDS.toNanos(5));
    assertFalse(channel.isOpen());
    assertFalse(connect().isOpen());
    assertEquals(0, traffic.connectionsOpen());
  }

  @Test
  void exceptionCaught_anyFailure_closes() {
    EmbeddedChannel gone = connect();
    gone.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
    assertFalse(gone.isOpen());
    EmbeddedChannel failed = connect();
    failed.pipeline().fireExceptionCaught(new IllegalStateException("test of the log"));
    assertFalse(failed.isOpen());
  }

  @Test
  void channelRead_messageThatNobodyTakes_isReleasedAndCloses() {
    EmbeddedChannel channel =
        new EmbeddedChannel(connections, new ConnectionTail(connections, problems));
    var message = Unpooled.copyInt(1);
    channel.writeInbound(message);
    assertEquals(0, ReferenceCountUtil.refCnt(message));
    assertFalse(channel.isOpen());
  }
}
