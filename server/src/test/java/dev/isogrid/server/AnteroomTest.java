package dev.isogrid.server;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.testkit.Await;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that wait on the accepting thread, and move with their first bytes. */
class AnteroomTest {
  private static SocketTransport transport(boolean isOfTheJdk) {
    return isOfTheJdk
        ? new SocketTransport(
            "JDK", NioIoHandler.newFactory(), NioServerSocketChannel::new, Map.of())
        : SocketTransport.choose();
  }

  private final ProblemLog problems = new ProblemLog(() -> 0);
  private final Queue<Channel> accepted = new ConcurrentLinkedQueue<>();
  private final Set<String> servers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger inactive = new AtomicInteger();
  private @Nullable IoThreads accepting;
  private @Nullable IoThreads serving;
  private @Nullable InetSocketAddress address;

  /** Comes last on the accepting thread. */
  private final class Tail extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event == ChannelInputShutdownEvent.INSTANCE) {
        context.close();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      inactive.incrementAndGet();
    }
  }

  /** Sends back what it gets, and ends when the client has ended. */
  private final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      servers.add(Thread.currentThread().getName());
      context.writeAndFlush(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event == ChannelInputShutdownEvent.INSTANCE) {
        ended.incrementAndGet();
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      }
    }
  }

  private void serve(Channel channel) {
    channel.pipeline().remove(Tail.class);
    channel.pipeline().addLast(new Echo());
  }

  private void listen(boolean isOfTheJdk) {
    SocketTransport sockets = transport(isOfTheJdk);
    IoThreads first = new IoThreads("accept", 1, sockets.ioHandlers());
    IoThreads others = new IoThreads("serve", 2, sockets.ioHandlers());
    accepting = first;
    serving = others;
    Channel bound =
        new ServerBootstrap()
            .group(first)
            .channelFactory(sockets.serverChannels())
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted.add(channel);
                    channel
                        .pipeline()
                        .addLast(new Anteroom(others, AnteroomTest.this::serve, null), new Tail());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
    address = (InetSocketAddress) bound.localAddress();
  }

  @AfterEach
  void stop() {
    if (accepting != null && serving != null) {
      accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
      serving.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(requireNonNull(address), 10_000);
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String receive(Socket socket, int length) throws IOException {
    return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void connection_thatIsSilent_staysOnTheAcceptingThread(boolean isOfTheJdk) throws IOException {
    listen(isOfTheJdk);
    try (Socket silent = connect();
        Socket talking = connect()) {
      send(talking, "a");
      assertEquals("a", receive(talking, 1));
      Await.until("both", () -> accepted.size() == 2);
      Channel first = accepted.remove();
      Channel second = accepted.remove();
      boolean isFirstSilent =
          ((InetSocketAddress) first.remoteAddress()).getPort() == silent.getLocalPort();
      Channel quiet = isFirstSilent ? first : second;
      Channel served = isFirstSilent ? second : first;
      assertEquals(accepting, quiet.eventLoop().parent());
      assertEquals(serving, served.eventLoop().parent());
      assertTrue(servers.iterator().next().startsWith("serve"), servers.toString());
      send(talking, "bc");
      assertEquals("bc", receive(talking, 2));
    }
  }

  /** In some rounds the end comes with the bytes, in others while the channel moves. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void connection_thatSendsAndEnds_getsAllAnswers(boolean isOfTheJdk) throws IOException {
    listen(isOfTheJdk);
    String text = "0123456789".repeat(2000);
    int rounds = 200;
    for (int i = 0; i < rounds; i++) {
      try (Socket socket = connect()) {
        if (i % 3 == 0) {
          send(socket, text);
        } else {
          send(socket, text.substring(0, 5));
          send(socket, text.substring(5));
        }
        socket.shutdownOutput();
        byte[] all = socket.getInputStream().readAllBytes();
        assertEquals(text, new String(all, StandardCharsets.UTF_8));
      }
    }
    assertEquals(rounds, ended.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void connection_thatIsCutAtAnyTime_leavesNothing(boolean isOfTheJdk) throws IOException {
    listen(isOfTheJdk);
    int rounds = 100;
    for (int i = 0; i < rounds; i++) {
      try (Socket socket = connect()) {
        socket.setSoLinger(true, 0);
        if (i % 2 == 0) {
          send(socket, "abc");
        }
      }
    }
    Await.until(
        "all closed",
        () -> accepted.size() == rounds && accepted.stream().noneMatch(Channel::isOpen));
  }

  @Test
  void silence_forTooLong_endsTheConnection_unlessItIsAllowed() {
    EmbeddedChannel silent = new EmbeddedChannel(new Anteroom(never(), _ -> {}, problems));
    silent.advanceTimeBy(FirstByteDeadline.TIMEOUT_SECONDS + 1, TimeUnit.SECONDS);
    silent.runScheduledPendingTasks();
    assertFalse(silent.isOpen());
    EmbeddedChannel allowed = new EmbeddedChannel(new Anteroom(never(), _ -> {}, null));
    allowed.advanceTimeBy(FirstByteDeadline.TIMEOUT_SECONDS + 1, TimeUnit.SECONDS);
    allowed.runScheduledPendingTasks();
    assertTrue(allowed.isOpen());
    allowed.close();
  }

  private IoThreads never() {
    IoThreads known = serving;
    if (known == null) {
      accepting = new IoThreads("accept", 1, NioIoHandler.newFactory());
      known = new IoThreads("serve", 1, NioIoHandler.newFactory());
      serving = known;
    }
    return known;
  }

  /** As when the server stops. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void connection_thatFindsNoThread_isClosed(boolean isOfTheJdk) throws IOException {
    listen(isOfTheJdk);
    try (Socket socket = connect()) {
      Await.until("a connection", () -> !accepted.isEmpty());
      requireNonNull(serving).shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
      send(socket, "abc");
      Channel channel = accepted.remove();
      Await.until("the end", () -> !channel.isOpen() && inactive.get() == 1);
      assertEquals(Set.of(), servers);
    }
  }
}
