package dev.isogrid.server.rest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server-sent events of one client that wait to be sent, the oldest first. Any thread adds
 * them; the connection's event loop takes them. When the client is too slow to take them the feed
 * breaks off, and the client has to ask again. Thread-safe.
 */
final class EventFeed implements AutoCloseable {
  /** Bytes that wait: some thousand events, and little even for all feeds of a server. */
  private static final int WAITING_MAX = 256 << 10;

  /** What an event takes beside its text. */
  private static final int EVENT_OVERHEAD = 100;

  private record Event(String name, int size, Supplier<String> data) {}

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
   * @param isPermitted whether the client may still be told; asked on the event loop
   * @param whenClosed run once, when the feed ends
   */
  EventFeed(BooleanSupplier isPermitted, Runnable whenClosed) {
    this.isPermitted = isPermitted;
    this.whenClosed = whenClosed;
  }

  /** Sets what ends the feed's source; it is ended at once if the feed is closed. */
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
   * Adds an event; does not block, so it may be called under any lock.
   *
   * @param size of what the data keeps, in bytes
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
        waiting.add(new Event(name, size + EVENT_OVERHEAD, data));
      }
      waking = isWoken ? null : wake;
      isWoken = true;
    }
    if (waking != null) {
      waking.run();
    }
  }

  /** Ends the feed, since events were missed. */
  void breakOff() {
    Runnable waking;
    synchronized (this) {
      isBroken = true;
      waking = wake;
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

  /** Whether events were lost, or the client may be told no more. For the event loop. */
  boolean isOver() {
    synchronized (this) {
      isWoken = false; // before looking, so that what comes later wakes again
      if (isBroken) {
        return true;
      }
    }
    return !isPermitted.getAsBoolean();
  }

  /** The next event as it is sent, or null. For the event loop. */
  byte @Nullable [] poll() {
    Event event;
    synchronized (this) {
      event = waiting.poll();
      if (event == null) {
        return null;
      }
      waitingBytes -= event.size;
    }
    StringBuilder text = new StringBuilder("event: ").append(event.name).append('\n');
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
