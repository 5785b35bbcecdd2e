package dev.isogrid.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;

/**
 * A connection that sends a batch of requests at once, then waits for all replies. Blocking; not
 * thread-safe.
 */
public final class PipelinedConnection implements AutoCloseable {
  /** Room for replies: more than sockets usually hold. */
  private static final int INPUT_SIZE_MIN = 256 << 10;

  /** Bytes of a reply besides the value, at most; error messages are shown as far as they fit. */
  private static final int REPLY_OVERHEAD_SIZE = 1024;

  private final SocketChannel socket;
  private final Wire wire;
  private final Entries entries;
  private final int depth;
  private final SplittableRandom random;
  private final ByteBuffer out;
  private final ByteBuffer in;

  /**
   * Connects to a port of the loopback address.
   *
   * @param depth the requests of a batch, 1 or more
   * @param seed chooses the keys
   */
  public PipelinedConnection(int port, Wire wire, Entries entries, int depth, long seed)
      throws IOException {
    this.wire = wire;
    this.entries = entries;
    this.depth = depth;
    this.random = new SplittableRandom(seed);
    int valueSize = entries.value().length;
    int requestSize = 2 * Wire.OVERHEAD_SIZE_MAX + valueSize; // a key takes no more than the rest
    this.out = ByteBuffer.allocateDirect(Math.multiplyExact(depth, requestSize));
    this.in =
        ByteBuffer.allocateDirect(Math.max(INPUT_SIZE_MIN, 2 * (valueSize + REPLY_OVERHEAD_SIZE)));
    this.socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /** Stores every entry once. */
  public void putAll() throws IOException {
    for (int first = 0; first < entries.count(); first += depth) {
      int count = Math.min(depth, entries.count() - first);
      for (int i = 0; i < count; i++) {
        wire.writePut(out, entries.key(first + i), entries.value());
      }
      wire.endBatch(out);
      exchange(Operation.PUT, count);
    }
  }

  /** Sends one batch of requests for random keys and reads the replies; returns their number. */
  public int runBatch(Operation operation) throws IOException {
    for (int i = 0; i < depth; i++) {
      byte[] key = entries.key(random.nextInt(entries.count()));
      if (operation.of(i) == Operation.GET) {
        wire.writeGet(out, key);
      } else {
        wire.writePut(out, key, entries.value());
      }
    }
    wire.endBatch(out);
    exchange(operation, depth);
    return depth;
  }

  private void exchange(Operation operation, int count) throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      socket.write(out);
    }
    out.clear();
    int missing = count;
    while (missing > 0) {
      if (socket.read(in) < 0) {
        throw new EOFException("server closed the connection");
      }
      in.flip();
      missing -= readReplies(operation, count - missing);
      in.compact();
    }
  }

  /** Consumes the complete replies, the first one to the request of a number. */
  private int readReplies(Operation operation, int first) {
    int count = 0;
    int start = in.position();
    while (in.hasRemaining()
        && wire.readReply(in, operation.of(first + count), entries.value().length)) {
      count++;
      start = in.position();
    }
    in.position(start);
    return count;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
