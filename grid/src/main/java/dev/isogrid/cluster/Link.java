package dev.isogrid.cluster;

import dev.isogrid.base.NanoClock;
import dev.isogrid.topology.NodeId;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The way of one kind of frames to one node: a connection, which is opened when there is something
 * to send, and what waits for it. What can't be sent is lost. Any thread may add; the rest happens
 * on the event loop.
 */
final class Link {
  /*
   * Messages wait as they are, and become bytes when they are sent: who sends them holds locks, and
   * needs no memory for them then. Until a message is encoded it counts with about its bytes, and
   * from then on with what they are, until the connection took them.
   */
  /** Some chunks of a copy; more than there is on its way to a node that lives. */
  private static final long WAITING_BYTES_MAX = 16 << 20;

  /**
   * As long as no more waits, a message may be as large as it likes: one that is larger than the
   * whole room would never find all of it free where there is always something to send.
   */
  private static final long FEW_BYTES_MAX = WAITING_BYTES_MAX / 4;

  /** Some messages of a kilobyte. */
  private static final long FREE_BYTES = 32 << 10;

  /** What a message that waits takes beside what it carries. */
  private static final long OVERHEAD_BYTES = 128;

  /** Small frames travel together up to this. */
  private static final int BUFFER_BYTES = 64 << 10;

  /** After a connection was not made. What comes meanwhile waits for the next attempt. */
  private static final long RETRY_NANOS = 100_000_000;

  /** A connection that ended sooner was refused: by TLS 1.3, that shows after its handshake. */
  private static final long SHORT_NANOS = 1_000_000_000L;

  /** A connection that takes nothing for so long is given up. */
  private static final long STALLED_NANOS = 10_000_000_000L;

  /** Twice as long as nodes that live are silent. */
  private static final long SILENT_NANOS = 4_000_000_000L;

  /** One that nobody needs is closed. */
  private static final long IDLE_NANOS = 60_000_000_000L;

  /**
   * Where frames go.
   *
   * @param purpose what they are
   * @param node for whom, or null if for whoever listens at the address
   */
  record Target(LinkHello.Purpose purpose, @Nullable NodeId node, InetSocketAddress address) {}

  /** Opens connections. */
  @FunctionalInterface
  interface Opener {
    /**
     * Begins to open a connection; {@link #opened}, {@link #ended} or {@link #failed} is called
     * then.
     *
     * @param pauseNanos how long to wait before that; not if it is 0 or less
     */
    void open(Link link, long pauseNanos);
  }

  private final Target target;
  private final NanoClock clock;
  private final Opener opener;
  private final FrameEncoder encoder;
  private final SentCount sent;
  private final ConcurrentLinkedQueue<Frame> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicBoolean isAwaited = new AtomicBoolean();

  // written by: the event loop
  private volatile boolean isConnected;

  // for the event loop only, from here on
  private @Nullable Channel channel;
  private boolean isOpening;
  private boolean isClosed;
  private long retryNanos;
  private long movedNanos;

  /** Whether it took something since {@link #sweep}, or had nothing to take until then. */
  private boolean hasMoved;

  private long openedNanos;
  private int unwritten;

  /**
   * Creates a link without a connection.
   *
   * @param encoder that of the event loop
   * @param sent counts what is sent
   */
  Link(Target target, NanoClock clock, Opener opener, FrameEncoder encoder, SentCount sent) {
    this.target = target;
    this.clock = clock;
    this.opener = opener;
    this.encoder = encoder;
    this.sent = sent;
    this.retryNanos = clock.nanoTime();
    this.movedNanos = retryNanos;
  }

  Target target() {
    return target;
  }

  /**
   * Takes a frame to be sent by {@link #write}, or refuses it since too much waits. While little
   * waits, one may be as large as it likes.
   */
  boolean tryAdd(Frame frame) {
    long cost = frame.sizeBytes() + OVERHEAD_BYTES;
    long before = waitingBytes.getAndAdd(cost);
    if (before > FEW_BYTES_MAX && before + cost > WAITING_BYTES_MAX) {
      waitingBytes.addAndGet(-cost);
      return false;
    }
    waiting.add(frame);
    return true;
  }

  /** Whether what is added now is sent soon: it is connected, and hardly anything waits. */
  boolean isFree() {
    return isConnected && waitingBytes.get() < FREE_BYTES;
  }

  /** Returns whether the caller has to see to it that {@link #write} is called. Any thread. */
  boolean claim() {
    return !isAwaited.get() && isAwaited.compareAndSet(false, true);
  }

  /** Sends what waits, if the other side takes it. */
  void write() {
    isAwaited.set(false);
    Channel open = channel;
    if (open != null) {
      write(open);
    } else if (!isOpening) {
      open();
    }
  }

  private void open() {
    if (isClosed) {
      clear();
    } else {
      isOpening = true;
      opener.open(this, retryNanos - clock.nanoTime());
    }
  }

  /** The connection is there, and its hello on the way. */
  void opened(Channel opened) {
    isOpening = false;
    if (isClosed) {
      opened.close();
      return;
    }
    connect(opened);
    openedNanos = clock.nanoTime();
    movedNanos = openedNanos;
    write(opened);
  }

  private void connect(@Nullable Channel next) {
    channel = next;
    isConnected = next != null;
  }

  /** There will be no connection. */
  void failed() {
    isOpening = false;
    retryNanos = clock.nanoTime() + RETRY_NANOS;
    clear();
  }

  /** A connection has ended: what waits goes by the next one. */
  void ended(Channel ended) {
    if (ended.equals(channel)) {
      connect(null);
      if (clock.nanoTime() - openedNanos < SHORT_NANOS) {
        retryNanos = clock.nanoTime() + RETRY_NANOS;
      }
      if (!waiting.isEmpty()) {
        write();
      }
    } else if (isOpening) {
      failed();
    }
  }

  private void write(Channel open) {
    if (waiting.isEmpty()) {
      return;
    }
    hasMoved |= unwritten == 0;
    while (open.isWritable() && !waiting.isEmpty()) {
      writeBuffers(open);
      open.flush();
    }
  }

  /** Puts frames into buffers, which are written as a whole, until the other side is behind. */
  private void writeBuffers(Channel open) {
    ByteBuf out = null;
    long added = 0;
    for (Frame frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      added -= frame.sizeBytes() + OVERHEAD_BYTES;
      if (encoder.encode(frame)) {
        int length = LinkFrames.HEADER_BYTES + encoder.length();
        if (out != null && length > out.maxWritableBytes()) {
          write(open, out);
          out = null;
        }
        if (out == null) {
          out = newBuffer(open, length);
        }
        encoder.writeTo(out);
        sent.add(length);
        added += length;
      }
      if (!open.isWritable()) {
        break;
      }
    }
    waitingBytes.addAndGet(added);
    if (out != null) {
      write(open, out);
    }
  }

  /** Mostly one small frame waits, or a few. */
  private static ByteBuf newBuffer(Channel open, int firstBytes) {
    int room = Math.max(BUFFER_BYTES, firstBytes);
    return open.alloc().directBuffer(Math.min(room, Math.max(4096, 2 * firstBytes)), room);
  }

  private void write(Channel open, ByteBuf buffer) {
    long written = buffer.readableBytes();
    unwritten++;
    open.write(buffer)
        .addListener(_ -> {
          unwritten--;
          hasMoved = true;
          waitingBytes.addAndGet(-written);
        });
  }

  /** The other side takes more again. */
  void writable() {
    Channel open = channel;
    if (open != null) {
      write(open);
    }
  }

  private void clear() {
    for (Frame frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      waitingBytes.addAndGet(-frame.sizeBytes() - OVERHEAD_BYTES);
    }
  }

  /**
   * Gives the connection up if it stands still, if nobody needs it, or if the other side is not
   * heard: after a cut of the network a new connection works sooner than one that TCP retries.
   *
   * @param heardNanos when something came from the other side
   */
  void sweep(long nowNanos, long heardNanos) {
    Channel open = channel;
    if (open == null) {
      return;
    }
    if (hasMoved) {
      hasMoved = false;
      movedNanos = nowNanos;
    }
    long silentNanos = Math.min(nowNanos - heardNanos, nowNanos - openedNanos);
    long standingNanos = nowNanos - movedNanos;
    if (silentNanos > SILENT_NANOS
        || standingNanos > (unwritten > 0 ? STALLED_NANOS : IDLE_NANOS)) {
      connect(null);
      open.close();
    }
  }

  /** Whether there is no connection, and none is wanted. */
  boolean isUnused() {
    return channel == null && !isOpening && waiting.isEmpty();
  }

  /** Ends it; what waits is lost. */
  void close() {
    isClosed = true;
    clear();
    Channel open = channel;
    if (open != null) {
      connect(null);
      open.close();
    }
  }
}
