package dev.isogrid.server.rest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server-sent events of one client that wait to be sent, the oldest first. Any thread adds
 * them; the connection's event loop takes them. If the client is too slow, the feed breaks off, and
 * the client must begin a new one. Thread-safe.
 */
final class EventFeed implements AutoCloseable {
  /** The most waiting bytes: some thousand events, and little even for all feeds of a server. */
  private static final int WAITING_MAX = 256 << 10;

  /** The bytes of an event beside its text. */
  private static final int EVENT_OVERHEAD = 100;

  private record Event(String name, @Nullable String id, int size, Supplier<String> data) {}

  private final BooleanSupplier isPermitted;
  private final Runnable whenClosed;

  // Guarded by this.
  private final ArrayDeque<Event> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private boolean isBroken;
  private boolean isClosed;
  private boolean isWoken;
  private @Nullable Runnable wake;
  private @Nullable AutoCloseable source;

  /**
   * Begins without events.
   *
   * @param isPermitted whether the client still has the permission; called on the event loop
   * @param whenClosed runs once, when the feed ends
   */
  EventFeed(BooleanSupplier isPermitted, Runnable whenClosed) {
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
      waitingBytes += size + EVENT_OVERHEAD;
      if (waitingBytes > WAITING_MAX) {
        isBroken = true;
        waiting.clear();
      } else {
        waiting.add(new Event(name, null, size + EVENT_OVERHEAD, data));
      }
      waking = isWoken ? null : wake;
      isWoken = true;
    }
    if (waking != null) {
      waking.run();
    }
  }

  /**
   * Adds an event when there is room for it, for sources that can wait. An event larger than all
   * room is added when the feed is empty.
   *
   * @param id of the event, for clients that come back
   * @return false if the feed has ended, or the thread is interrupted
   */
  boolean put(String name, String id, String data) {
    Runnable waking;
    synchronized (this) {
      int size = 2 * data.length() + EVENT_OVERHEAD;
      try {
        while (!isClosed && !isBroken && waitingBytes > 0 && waitingBytes + size > WAITING_MAX) {
          wait();
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
      if (isClosed || isBroken) {
        return false;
      }
      waitingBytes += size;
      waiting.add(new Event(name, id, size, () -> data));
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
   * Lets the event loop look whether the client may still be told, although there is no event. To
   * be called now and then, since a session can end while nothing happens.
   */
  void look() {
    Runnable waking;
    synchronized (this) {
      waking = isClosed || isWoken ? null : wake;
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

  /** The bytes of the next event, or null. For the event loop. */
  byte @Nullable [] poll() {
    Event event;
    synchronized (this) {
      event = waiting.poll();
      if (event == null) {
        return null;
      }
      waitingBytes -= event.size;
      notifyAll();
    }
    StringBuilder text = new StringBuilder("event: ").append(event.name).append('\n');
    if (event.id != null) {
      text.append("id: ").append(event.id).append('\n');
    }
    event.data.get().lines().forEach(line -> text.append("data: ").append(line).append('\n'));
    return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    AutoCloseable begun;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      waiting.clear();
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
