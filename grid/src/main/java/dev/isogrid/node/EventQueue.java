package dev.isogrid.node;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.base.Scheduler;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings events to one listener by a thread of its own, which lives as long as there are events.
 * Thread-safe. A writer waits while the queue is full, unless it is itself such a thread: two
 * listeners that write would else wait for each other.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 */
final class EventQueue<K, V> implements ListenerHub.Target<K, V> {
  /** About 4 MB of events; beyond it writers wait, so that a slow listener can't fill the heap. */
  private static final int EVENTS_MAX = 65_536;

  /** An event with the bytes of its key and values, or the segment of lost ones if it is null. */
  private record Waiting<K, V>(@Nullable CacheEvent<K, V> event, int segment, long bytes) {}

  private final ListenerHub.Target<K, V> listener;
  private final Scheduler scheduler;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();

  /** Guarded by the lock. */
  private final ArrayDeque<Waiting<K, V>> events = new ArrayDeque<>();

  /** Those of the events. Guarded by the lock. */
  private long bytes;

  /** Whether a thread is at work. Guarded by the lock. */
  private boolean working;

  /** Guarded by the lock. */
  private boolean closed;

  EventQueue(ListenerHub.Target<K, V> listener, Scheduler scheduler) {
    this.listener = listener;
    this.scheduler = scheduler;
  }

  @Override
  public void deliver(CacheEvent<K, V> event, long bytesOfEvent) {
    add(new Waiting<>(event, 0, bytesOfEvent));
  }

  @Override
  public void lose(int segment) {
    add(new Waiting<>(null, segment, 0));
  }

  private void add(Waiting<K, V> event) {
    lock.lock();
    try {
      while (isFull() && !closed && !ListenerHub.IN_WORKER.orElse(false)) {
        room.awaitUninterruptibly();
      }
      if (closed) {
        return;
      }
      events.add(event);
      bytes += event.bytes;
      if (!working) {
        startLocked();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull() {
    return events.size() >= EVENTS_MAX || bytes >= ListenerHub.BYTES_MAX;
  }

  private void startLocked() {
    working = true;
    try {
      scheduler.execute(() -> ScopedValue.where(ListenerHub.IN_WORKER, true).run(this::work));
    } catch (RejectedExecutionException gridClosed) {
      close(); // nobody is left to deliver
    }
  }

  private void work() {
    boolean ended = false;
    try {
      Waiting<K, V> next = next();
      while (next != null) {
        if (next.event == null) {
          listener.lose(next.segment);
        } else {
          listener.deliver(next.event, next.bytes);
        }
        next = next();
      }
      ended = true;
    } finally {
      if (!ended) {
        goOnElsewhere(); // an error ends this thread
      }
    }
  }

  private void goOnElsewhere() {
    lock.lock();
    try {
      working = false;
      if (!events.isEmpty()) {
        startLocked();
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Waiting<K, V> next() {
    lock.lock();
    try {
      Waiting<K, V> event = events.poll();
      bytes -= event == null ? 0 : event.bytes;
      room.signal();
      working = event != null;
      return event;
    } finally {
      lock.unlock();
    }
  }

  /** Drops what waits, and lets writers go that wait for room. */
  void close() {
    lock.lock();
    try {
      closed = true;
      events.clear();
      bytes = 0;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
