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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private final Traffic traffic = new Traffic();
  private final ProblemLog problems = new ProblemLog(System::nanoTime);
  private Connections connections = new Connections(2, 9, traffic, problems);

  /** Returns the received bytes. */
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

  private EmbeddedChannel connectFrom(String address) {
    return new EmbeddedChannel(connections) {
      @Override
      protected SocketAddress remoteAddress0() {
        return new InetSocketAddress(address, 1);
      }
    };
  }

  @Test
  void channelActive_aboveTheLimitOfAnAddress_isRefusedThereOnly() {
    Connections limited = new Connections(100, 2, traffic, problems);
    connections = limited;
    EmbeddedChannel first = connectFrom("192.0.2.1");
    assertTrue(connectFrom("192.0.2.1").isOpen());
    assertFalse(connectFrom("192.0.2.1").isOpen());
    assertTrue(connectFrom("192.0.2.2").isOpen());
    assertEquals(1, traffic.connectionsRefused());
    first.close();
    assertTrue(connectFrom("192.0.2.1").isOpen());
    assertFalse(connectFrom("192.0.2.1").isOpen());
  }

  @Test
  void channelActive_addressesOfOneNetworkOfIpv6_areOne() {
    connections = new Connections(100, 2, traffic, problems);
    assertTrue(connectFrom("2001:db8::1").isOpen());
    assertTrue(connectFrom("2001:db8::2").isOpen());
    assertFalse(connectFrom("2001:db8::3").isOpen());
    assertTrue(connectFrom("2001:db8:0:1::1").isOpen());
  }

  @Test
  void firstByte_thatDoesNotCome_endsTheConnection() {
    EmbeddedChannel silent = new EmbeddedChannel(new FirstByteDeadline(problems), new Echo());
    silent.freezeTime();
    silent.advanceTimeBy(FirstByteDeadline.TIMEOUT_SECONDS + 1, TimeUnit.SECONDS);
    silent.runScheduledPendingTasks();
    assertFalse(silent.isOpen());
    EmbeddedChannel talking = new EmbeddedChannel(new FirstByteDeadline(problems), new Echo());
    talking.freezeTime();
    talking.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
    talking.advanceTimeBy(FirstByteDeadline.TIMEOUT_SECONDS + 1, TimeUnit.SECONDS);
    talking.runScheduledPendingTasks();
    assertTrue(talking.isOpen());
    talking.releaseOutbound();
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
