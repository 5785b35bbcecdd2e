package dev.isogrid.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a connection, which is encrypted if there is a session of TLS. No method waits. In
 * the turn of its event loop.
 */
final class Wire {
  private final SocketChannel channel;
  private final EventLoop loop;
  private final Connection connection;
  private final @Nullable TlsSession tls;
  private @Nullable SelectionKey key;

  private boolean isConnected;

  /** Whether the socket takes nothing more for now. */
  private boolean isFull;

  Wire(SocketChannel channel, EventLoop loop, Connection connection, @Nullable TlsSession tls) {
    this.channel = channel;
    this.loop = loop;
    this.connection = connection;
    this.tls = tls;
  }

  /** Begins to connect. */
  void connect(InetSocketAddress address) throws IOException {
    channel.connect(address); // even if that is done at once, the selector tells so
    key = loop.register(channel, SelectionKey.OP_CONNECT, connection);
  }

  /** Ends what {@link #connect} began. */
  void connected() throws IOException {
    channel.finishConnect();
    isConnected = true;
    loop.watchFor(Objects.requireNonNull(key), SelectionKey.OP_READ);
    if (tls != null) {
      tls.begin(this);
    }
  }

  /** Whether requests may be sent: it is connected, and if there is TLS, that is agreed on. */
  boolean isOpen() {
    return isConnected && (tls == null || tls.isAgreed());
  }

  boolean isWritable() {
    return !isFull;
  }

  /** Sends as much as the socket takes; the rest stays where it is. */
  void write(RequestWriter from) throws IOException {
    if (!isFull) {
      if (tls != null) {
        tls.write(from, this);
      } else {
        while (!from.isEmpty() && !isFull) {
          from.taken(send(from.array(), from.start(), from.end()));
        }
      }
    }
  }

  /** The socket takes more again. */
  void writable() throws IOException {
    isFull = false;
    loop.watchFor(Objects.requireNonNull(key), SelectionKey.OP_READ);
    if (tls != null) {
      tls.writable(this);
    }
  }

  /** Sends a part of an array, at most a buffer full; returns the number of bytes. */
  int send(byte[] bytes, int start, int end) throws IOException {
    ByteBuffer scratch = loop.scratch();
    int size = Math.min(scratch.capacity(), end - start);
    scratch.put(bytes, start, size).flip();
    int sent = channel.write(scratch);
    if (sent < size) {
      isFull = true;
      loop.watchFor(Objects.requireNonNull(key), SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }
    return sent;
  }

  /**
   * Reads the bytes that have arrived, up to a limit per call.
   *
   * @return whether there may be more
   * @throws EOFException if the server has ended the connection and all before it was read
   */
  boolean read(ResponseReader into) throws IOException {
    ByteBuffer scratch = loop.scratch();
    int size = channel.read(scratch);
    if (size < 0) {
      throw new EOFException();
    }
    if (size > 0) {
      scratch.flip();
      if (tls != null) {
        tls.read(scratch, into, this);
      } else {
        into.append(scratch);
      }
    }
    return size == scratch.capacity();
  }

  void close() {
    if (tls != null) {
      tls.close(this);
    }
    try {
      channel.close();
    } catch (IOException ignored) { // tidy: it is given up anyway
      // the selector lets go of it all the same
    }
    loop.wakeWatcher();
  }
}
