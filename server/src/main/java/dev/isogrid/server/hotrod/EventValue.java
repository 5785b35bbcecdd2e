package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.store.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of an event: one copy for all listeners of all connections. It is counted once on the
 * budget of the server, and once on the share of each connection with waiting events that have it.
 * Thread-safe.
 */
final class EventValue {
  /**
   * Smaller values count once per event, although there is one copy: tracking their holders would
   * take more memory than the value.
   */
  static final int COUNTED_ONCE_MIN = 1024;

  private final int length;

  /** The bytes until the first holder; borrowed during the call of the change. */
  private @Nullable Bytes source;

  /** Null until the first holder. */
  private volatile @Nullable ByteString bytes;

  /** The number of holding events per connection. Guarded by this. */
  private final Map<ByteBudget.Share, Integer> holders = new HashMap<>(2);

  /**
   * Notes a value; copies nothing.
   *
   * @param source borrowed until the first event holds this, or none will
   */
  EventValue(Bytes source) {
    this.source = source;
    this.length = source.length();
  }

  /** The number of bytes. */
  int length() {
    return length;
  }

  /** The value. Must be called only if an event holds this, or did. */
  ByteString bytes() {
    return Objects.requireNonNull(bytes);
  }

  /**
   * The value, which is copied unless an event holds this. Valid calls end with the validity of the
   * source.
   */
  ByteString copied() {
    copy();
    return bytes();
  }

  /** Counts a waiting event of a connection; returns false if there is no memory for it. */
  boolean tryHold(ByteBudget.Share share) {
    if (length < COUNTED_ONCE_MIN) {
      if (!share.tryTake(length)) {
        return false;
      }
    } else if (!tryCount(share)) {
      return false;
    }
    copy();
    return true;
  }

  private synchronized boolean tryCount(ByteBudget.Share share) {
    Integer count = holders.get(share);
    if (count == null) {
      boolean hasRoom = holders.isEmpty() ? share.tryTake(length) : share.tryJoin(length);
      if (!hasRoom) {
        return false;
      }
    }
    holders.put(share, count == null ? 1 : count + 1);
    return true;
  }

  private synchronized void copy() {
    Bytes from = source;
    if (from != null) {
      bytes = ByteString.of(from.toByteArray());
      source = null;
    }
  }

  /** Counts an event of a connection off. */
  void letGo(ByteBudget.Share share) {
    if (length < COUNTED_ONCE_MIN) {
      share.give(length);
      return;
    }
    synchronized (this) {
      int count = Objects.requireNonNull(holders.remove(share));
      if (count > 1) {
        holders.put(share, count - 1);
      } else if (holders.isEmpty()) {
        share.give(length);
      } else {
        share.leave(length);
      }
    }
  }
}
