package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.StandInEngine;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many requests over one socket, executed by threads that wait. */
class PipelinedWaitingTest {
  private static final int REQUESTS = 10_000;

  /** One of this many requests reads the key that waits until all others are answered. */
  private static final int BLOCKED_EVERY = 20;

  private static final int PUT = 0x01;
  private static final int PUT_RESPONSE_SIZE_MAX = 7;

  private final TestServer server = new TestServer();
  private final StandInEngine engine = server.clustered("c");
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final AsidePool pool = new AsidePool(server.context, AsidePool.IN_FLIGHT_MAX);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger inEngine = new AtomicInteger();
  private final AtomicInteger inEngineMost = new AtomicInteger();
  private final Channel listening =
      new ServerBootstrap()
          .group(loops)
          .channel(NioServerSocketChannel.class)
          .childHandler(
              new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                  channel.pipeline().addLast(TestServer.newConnection(pool, server.ownEndpoint));
                }
              })
          .bind(InetAddress.getLoopbackAddress(), 0)
          .syncUninterruptibly()
          .channel();

  PipelinedWaitingTest() {
    server.threads = threads;
    engine.letWait("blocked");
    engine.letWait("slow");
    int blocked = StandInEngine.hash("blocked");
    engine.before =
        hash -> {
          int now = inEngine.incrementAndGet();
          inEngineMost.accumulateAndGet(now, Math::max);
          if (hash == blocked) {
            awaitGate();
          }
          inEngine.decrementAndGet();
        };
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() {
    gate.countDown();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    threads.close();
    server.close();
  }

  private Socket connect() throws IOException {
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private static RequestBytes put(int id, String key) {
    return new RequestBytes(41, PUT).id(id).string(key).u8(0x88).string("v" + id);
  }

  private static String keyOf(int id) {
    if (id % BLOCKED_EVERY == 0) {
      return "blocked";
    }
    return id % 3 == 0 ? "slow" : "near";
  }

  /** Sends all requests on a thread of its own, since the server may stop reading. */
  private void sendAll(Socket socket, int count) {
    threads.execute(() -> {
      try {
        OutputStream out = new BufferedOutputStream(socket.getOutputStream());
        for (int id = 0; id < count; id++) {
          out.write(put(id, keyOf(id)).bytes());
        }
        out.flush();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    });
  }

  /** Reads the id of the next response, which must be a success without a value. */
  private static int readId(DataInputStream in) throws IOException {
    assertEquals(0xA1, in.readUnsignedByte());
    int id = 0;
    int shift = 0;
    int group;
    do {
      assertTrue(shift < 7 * PUT_RESPONSE_SIZE_MAX);
      group = in.readUnsignedByte();
      id |= (group & 0x7F) << shift;
      shift += 7;
    } while (group >= 0x80);
    assertEquals(PUT + 1, in.readUnsignedByte());
    assertEquals(0, in.readUnsignedByte());
    assertEquals(0, in.readUnsignedByte());
    return id;
  }

  @Test
  void requestsThatWait_doNotDelayOthers() throws IOException {
    try (Socket socket = connect()) {
      sendAll(socket, REQUESTS);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      Set<Integer> early = new HashSet<>();
      for (int i = 0; i < REQUESTS - REQUESTS / BLOCKED_EVERY; i++) {
        int id = readId(in);
        assertTrue(id % BLOCKED_EVERY != 0, () -> "answered too early: " + id);
        assertTrue(early.add(id));
      }
      gate.countDown();
      Set<Integer> late = new HashSet<>();
      for (int i = 0; i < REQUESTS / BLOCKED_EVERY; i++) {
        late.add(readId(in));
      }
      assertEquals(REQUESTS / BLOCKED_EVERY, late.size());
      assertTrue(inEngineMost.get() <= AsideRequests.COUNT_MAX);
      assertEquals(0, pool.places(false).taken());
    }
  }

  @Test
  void moreWaitingRequestsThanTheLimit_areAllAnsweredInTheEnd() throws IOException {
    int count = BLOCKED_EVERY * 3 * AsideRequests.COUNT_MAX;
    try (Socket socket = connect()) {
      sendAll(socket, count);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      Set<Integer> ids = new HashSet<>();
      int answeredBeforeTheLimit =
          BLOCKED_EVERY * AsideRequests.COUNT_MAX - AsideRequests.COUNT_MAX - BLOCKED_EVERY;
      while (ids.size() < answeredBeforeTheLimit) {
        ids.add(readId(in));
      }
      assertTrue(pool.places(false).taken() <= AsideRequests.COUNT_MAX);
      gate.countDown();
      while (ids.size() < count) {
        assertTrue(ids.add(readId(in)));
      }
      assertTrue(inEngineMost.get() <= AsideRequests.COUNT_MAX);
    }
  }

  @Test
  void connectionThatIsCutWhileRequestsWait_isForgotten() throws IOException, InterruptedException {
    CountDownLatch waiting = new CountDownLatch(100);
    engine.before =
        _ -> {
          waiting.countDown();
          awaitGate();
        };
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      for (int id = 0; id < 100; id++) {
        out.write(put(id, "blocked").bytes());
      }
      waiting.await();
      socket.setSoLinger(true, 0);
    }
    gate.countDown();
    threads.close(); // waits for all
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    assertEquals(0, pool.places(false).taken());
  }
}
