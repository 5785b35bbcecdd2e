package dev.isogrid.bench.strangers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connections of clients that have not logged in: some silent, some with half a request, some with
 * a body that does not end. Sends as much as the server accepts, drops its replies, and never
 * closes a connection by itself. One thread works for all of them.
 */
final class Strangers implements AutoCloseable {
  /** The source addresses: a single one would meet the limit per address. */
  private static final int ADDRESSES = 8;

  /** 10 MiB, less room for the rest of a request: the server would refuse more at once. */
  private static final int BODY_BYTES = (10 << 20) - 1024;

  private static final byte[] NOTHING = {};
  private static final byte[] HALF_HTTP =
      ascii("PUT /rest/v2/caches/default/k HTTP/1.1\r\nHost: l");
  private static final byte[] HTTP_BODY =
      ascii(
          "PUT /rest/v2/caches/default/k HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
              + BODY_BYTES
              + "\r\n\r\n");

  /** A put of version 3.1 to the cache default up to the value, which has this many bytes. */
  private static final byte[] HOT_ROD_BODY =
      HexFormat.of().parseHex("a0011f010764656661756c74000100000001" + "6b88" + "80f8ff04");

  /** The same up to a part of the cache's name. */
  private static final byte[] HALF_HOT_ROD = HexFormat.of().parseHex("a0011f01076465");

  private final InetSocketAddress server;
  private final Selector selector = Selector.open();
  private final List<SocketChannel> all = new ArrayList<>();
  private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);
  private final ByteBuffer junk = ByteBuffer.allocateDirect(1 << 16);

  /** Open connections; written by the thread. */
  private final AtomicInteger left = new AtomicInteger();

  private @Nullable Thread thread;

  /** Written by the thread when this failure ends it. */
  private volatile @Nullable IOException failure;

  /** Written by {@link #close}. */
  private volatile boolean ending;

  /** The bytes that a connection still has to send: counts down. */
  private static final class Left {
    private int bytes;

    Left(int bytes) {
      this.bytes = bytes;
    }
  }

  Strangers(int port) throws IOException {
    this.server = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Begins to open the connections, and then to send. */
  void start(int silent, int half, int bodies) {
    thread = Thread.ofPlatform().daemon().name("strangers").start(() -> run(silent, half, bodies));
  }

  private void run(int silent, int half, int bodies) {
    try {
      for (int i = 0; i < bodies; i++) {
        connect(i % 2 == 0 ? HTTP_BODY : HOT_ROD_BODY, BODY_BYTES - 1);
      }
      for (int i = 0; i < half; i++) {
        connect(i % 2 == 0 ? HALF_HTTP : HALF_HOT_ROD, 0);
      }
      for (int i = 0; i < silent && !ending; i++) {
        connect(NOTHING, 0);
        selector.selectNow(this::serve);
      }
      while (!ending) {
        selector.select(this::serve);
      }
    } catch (IOException trouble) {
      failure = trouble;
    }
  }

  private void connect(byte[] begin, int bodyBytes) throws IOException {
    SocketChannel channel = SocketChannel.open();
    all.add(channel);
    byte last = (byte) (2 + all.size() % ADDRESSES);
    channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, last}), 0));
    channel.connect(server);
    channel.write(ByteBuffer.wrap(begin));
    channel.configureBlocking(false);
    int interest = SelectionKey.OP_READ | (bodyBytes > 0 ? SelectionKey.OP_WRITE : 0);
    channel.register(selector, interest, new Left(bodyBytes));
    left.incrementAndGet();
  }

  private void serve(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    try {
      if (key.isReadable() && channel.read(in.clear()) < 0) {
        end(key);
      } else if (key.isWritable()) {
        Left left = (Left) key.attachment();
        left.bytes -= channel.write(junk.clear().limit(Math.min(junk.capacity(), left.bytes)));
        if (left.bytes == 0) {
          key.interestOps(SelectionKey.OP_READ);
        }
      }
    } catch (IOException _) {
      end(key); // the server has closed the connection
    }
  }

  private void end(SelectionKey key) {
    left.decrementAndGet();
    key.cancel();
    try {
      key.channel().close();
    } catch (IOException _) {
      // the connection is gone in any case
    }
  }

  /** The number of connections that the server has not closed. */
  int left() throws IOException {
    IOException trouble = failure;
    if (trouble != null) {
      throw new IOException("no more connections: left=" + left, trouble);
    }
    return left.get();
  }

  @Override
  public void close() throws IOException {
    ending = true;
    selector.wakeup();
    try {
      if (thread != null) {
        thread.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    for (SocketChannel channel : all) {
      channel.close();
    }
    selector.close();
  }
}
