package dev.isogrid.server.rest;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.ByteBudget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server-sent events of one client that wait to be sent, the oldest first. Any thread adds
 * them; the connection's event loop takes them. If the client is too slow, the feed breaks off, and
 * the client must begin a new one. While nothing happens, comments keep the connection in use, so
 * that the end of a vanished client is noticed. Thread-safe.
 */
final class EventFeed implements AutoCloseable {
  /** The most waiting bytes: some thousand events, and little even for all feeds of a server. */
  private static final int WAITING_MAX = 256 << 10;

  /** The size above which an event is large. */
  private static final int LARGE_MIN = WAITING_MAX / 2;

  /** The bytes of an event beside its text. */
  private static final int EVENT_OVERHEAD = 100;

  /** The pause after which a comment is sent: shorter than the patience of most proxies. */
  static final int COMMENT_SECONDS = 15;

  /** The longest time in which a client may take nothing of what waits for it. */
  static final int STUCK_SECONDS = 60;

  /** The pause of a source that waits for room, between looks at the client. */
  private static final long ROOM_WAIT_MILLIS = 500;

  /** The ends of lines that the protocol knows. */
  private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

  /** A comment of the protocol, which clients ignore; it ends no event. */
  private static final byte[] COMMENT = {':', '\n'};

  /**
   * An event.
   *
   * @param size its bytes of the budget
   * @param isLarge whether it has the right to exceed all room
   */
  private record Event(
      String name, @Nullable String id, int size, boolean isLarge, Supplier<String> data) {}

  private final EventFeeds feeds;
  private final ByteBudget.Share share;
  private final NanoClock clock;
  private final BooleanSupplier isPermitted;
  private final Runnable whenClosed;

  // For the event loop only.
  private long sentNanos;
  private long progressNanos;
  private long unsentBytes;

  // Guarded by this.
  private final ArrayDeque<Event> waiting = new ArrayDeque<>();
  private int waitingBytes;

  /** Whether this feed has the right to an event of any size. */
  private boolean isLarge;

  /** Whether the connection has taken that event. */
  private boolean isLargeTaken;

  private boolean isBroken;
  private boolean isClosed;
  private boolean isWoken;
  private @Nullable Runnable wake;
  private @Nullable AutoCloseable source;

  /**
   * Begins without events.
   *
   * @param feeds all feeds of the server
   * @param share of the memory of all feeds; closed with this
   * @param isPermitted whether the client still has the permission; called on the event loop
   * @param whenClosed runs once, when the feed ends
   */
  EventFeed(
      EventFeeds feeds,
      ByteBudget.Share share,
      NanoClock clock,
      BooleanSupplier isPermitted,
      Runnable whenClosed) {
    this.feeds = feeds;
    this.share = share;
    this.clock = clock;
    this.sentNanos = clock.nanoTime();
    this.progressNanos = sentNanos;
    this.isPermitted = isPermitted;
    this.whenClosed = whenClosed;
  }

  /** Sets the source, which the end of the feed closes; closes it at once if the feed is closed. */
  void source(AutoCloseable begun) {
    synchronized (this) {
      source = begun;
      if (!isClosed) {
        return;
      }
    }
    end(begun);
  }

  /**
   * Adds an event; does not block, so callers may hold any lock.
   *
   * @param size of the data, in bytes
   * @param data makes the text, on the event loop
   */
  void add(String name, int size, Supplier<String> data) {
    Runnable waking;
    synchronized (this) {
      if (isClosed || isBroken) {
        return;
      }
      if (tryTake(size + EVENT_OVERHEAD)) {
        waiting.add(new Event(name, null, size + EVENT_OVERHEAD, false, data));
      } else {
        isBroken = true;
        drop();
      }
      waking = isWoken ? null : wake;
      isWoken = true;
    }
    if (waking != null) {
      waking.run();
    }
  }

  private boolean tryTake(int size) {
    if (waitingBytes + size > WAITING_MAX || !share.tryTake(size)) {
      return false;
    }
    waitingBytes += size;
    return true;
  }

  /** Drops all waiting events. */
  private void drop() {
    waiting.clear();
    share.give(waitingBytes);
    waitingBytes = 0;
    endLarge();
  }

  private void endLarge() {
    isLargeTaken = false;
    if (isLarge) {
      isLarge = false;
      feeds.endLarge();
    }
  }

  /**
   * Adds an event when there is room for it, for sources that can wait. An event larger than all
   * room is added as by {@link #putLarge}.
   *
   * @param id of the event, for clients that come back; null for none
   * @return false if the feed has ended, or the thread is interrupted
   */
  boolean put(String name, @Nullable String id, String data) {
    int size = 2 * data.length() + EVENT_OVERHEAD;
    if (size > LARGE_MIN) {
      return putLarge(name, id, () -> data);
    }
    return awaitRoom(() -> tryTake(size)) && tryAdd(new Event(name, id, size, false, () -> data));
  }

  /**
   * Adds an event of any size when the feed is empty, and no other feed of the server has such a
   * one. Parameters and result as {@link #put}.
   *
   * @param data makes the text, once, when it is the turn of this feed
   */
  boolean putLarge(String name, @Nullable String id, Supplier<String> data) {
    if (!awaitRoom(this::tryBeginLarge)) {
      return false;
    }
    boolean isAdded = false;
    try {
      String text = data.get();
      isAdded = tryAdd(new Event(name, id, 0, true, () -> text));
      return isAdded;
    } finally {
      if (!isAdded) {
        giveUpLarge();
      }
    }
  }

  private boolean tryBeginLarge() {
    if (!waiting.isEmpty() || isLarge || !feeds.tryLarge()) {
      return false;
    }
    isLarge = true;
    return true;
  }

  private synchronized void giveUpLarge() {
    endLarge();
  }

  /** Waits for room; returns false if the feed has ended, or the thread is interrupted. */
  private boolean awaitRoom(BooleanSupplier taking) {
    while (true) {
      synchronized (this) {
        if (isClosed || isBroken) {
          return false;
        }
        if (taking.getAsBoolean()) {
          return true;
        }
        try {
          wait(ROOM_WAIT_MILLIS); // others give memory back without telling this feed
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      look();
    }
  }

  /** Adds an event that has its room; returns false if the feed has ended meanwhile. */
  private boolean tryAdd(Event event) {
    Runnable waking;
    synchronized (this) {
      if (isClosed || isBroken) {
        return false;
      }
      waiting.add(event);
      waking = isWoken ? null : wake;
      isWoken = true;
    }
    if (waking != null) {
      waking.run();
    }
    return true;
  }

  /** Whether the feed has ended, so that it sends no more events. */
  synchronized boolean isClosed() {
    return isClosed || isBroken;
  }

  /** Ends the feed after a loss of events. */
  void breakOff() {
    Runnable waking;
    synchronized (this) {
      isBroken = true;
      notifyAll();
      waking = wake;
      isWoken = true;
    }
    if (waking != null) {
      waking.run();
    }
  }

  /**
   * Lets the event loop look whether the client may still be told, and takes what it is sent. To be
   * called now and then, since a session or a client can end while nothing happens.
   */
  void look() {
    Runnable waking;
    synchronized (this) {
      waking = isClosed ? null : wake; // even if it was woken: a stuck client takes no events
      isWoken = true;
    }
    if (waking != null) {
      waking.run();
    }
  }

  /** Sets what is run, on any thread, when there are events; runs it if there are some already. */
  void onEvents(Runnable task) {
    boolean isDue;
    synchronized (this) {
      wake = task;
      isDue = isWoken;
    }
    if (isDue) {
      task.run();
    }
  }

  /** Whether events were lost, or the client lost the permission. For the event loop. */
  boolean isOver() {
    synchronized (this) {
      isWoken = false; // before looking, so that what comes later wakes again
      if (isBroken) {
        return true;
      }
    }
    return !isPermitted.getAsBoolean();
  }

  /** The bytes of the next event, or of a comment if one is due, or null. For the event loop. */
  byte @Nullable [] poll() {
    long now = clock.nanoTime();
    Event event;
    synchronized (this) {
      if (isLargeTaken) {
        endLarge(); // the connection asks for more, so it has sent nearly all of the last event
      }
      event = waiting.poll();
      if (event != null) {
        waitingBytes -= event.size;
        share.give(event.size);
        isLargeTaken = event.isLarge;
        notifyAll();
      }
    }
    if (event != null) {
      sentNanos = now;
      return text(event);
    }
    if (now - sentNanos < TimeUnit.SECONDS.toNanos(COMMENT_SECONDS)) {
      return null;
    }
    sentNanos = now;
    return COMMENT.clone();
  }

  private static byte[] text(Event event) {
    StringBuilder text = new StringBuilder("event: ").append(event.name).append('\n');
    if (event.id != null) {
      text.append("id: ").append(event.id).append('\n');
    }
    for (String line : LINE_END.split(event.data.get(), -1)) {
      text.append("data: ").append(line).append('\n');
    }
    return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Whether the client has taken nothing for too long, so that its connection must end. For the
   * event loop, which asks now and then.
   *
   * @param unsent the bytes that the client must take before it is sent more; 0 if it is now
   */
  boolean isStuck(long unsent) {
    long now = clock.nanoTime();
    if (unsent == 0 || unsent != unsentBytes) {
      unsentBytes = unsent;
      progressNanos = now;
    }
    return now - progressNanos >= TimeUnit.SECONDS.toNanos(STUCK_SECONDS);
  }

  @Override
  public void close() {
    AutoCloseable begun;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      drop();
      share.close();
      notifyAll();
      begun = source;
    }
    whenClosed.run();
    if (begun != null) {
      end(begun);
    }
  }

  private static void end(AutoCloseable begun) {
    try {
      begun.close();
    } catch (Exception failure) {
      throw new IllegalStateException("a source of events can't be ended", failure);
    }
  }
}
