package dev.isogrid.server.memcached;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.RejectedExecutionException;

/**
 * A connection that receives a line for each event of some kinds. Lines that it does not read in
 * time are left out, and it receives their number. Thread-safe.
 */
final class Watcher {
  /** The bytes of waiting lines, as in memcached; as many again may be in flight. */
  static final int QUEUE_BYTES_MAX = 256 << 10;

  private final Watchers watchers;
  private final Channel channel;
  private final int kinds;

  // Guarded by this.
  private final ByteArrayOutputStream queue = new ByteArrayOutputStream();
  private long skipped;
  private boolean isSending;
  private boolean isOpen;

  /**
   * Makes a watcher without lines.
   *
   * @param kinds the bits of the kinds of events
   */
  Watcher(Watchers watchers, Channel channel, int kinds) {
    this.watchers = watchers;
    this.channel = channel;
    this.kinds = kinds;
  }

  /** The bits of the kinds of events. */
  int kinds() {
    return kinds;
  }

  /** Sends the reply to the command; earlier lines are left out. */
  synchronized void open(byte[] reply) {
    isOpen = true;
    add(reply);
  }

  /** Queues a line, or leaves it out if too many wait. */
  synchronized void add(byte[] line) {
    if (!isOpen) {
      return;
    }
    if (queue.size() + line.length > QUEUE_BYTES_MAX) {
      skipped++;
      watchers.countSkipped();
      return;
    }
    if (skipped > 0) {
      queue.writeBytes(Reply.ascii("skipped=" + skipped + "\n"));
      skipped = 0;
    }
    queue.writeBytes(line);
    if (!isSending) {
      isSending = true;
      begin();
    }
  }

  private void begin() {
    try {
      channel.eventLoop().execute(this::send);
    } catch (RejectedExecutionException _) {
      queue.reset(); // the event loop has ended, and the connection with it
    }
  }

  /** Sends the waiting lines; further ones leave after they were written. */
  private void send() {
    byte[] lines;
    synchronized (this) {
      lines = queue.toByteArray();
      queue.reset();
      isSending = lines.length > 0;
    }
    if (lines.length > 0) {
      channel.writeAndFlush(Unpooled.wrappedBuffer(lines)).addListener(_ -> send());
    }
  }
}
