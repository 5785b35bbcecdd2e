package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ByteBudget;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes the events of one listener through its deployed filter and converter, one after the other,
 * on a thread that may block; the thread exists while there are events. Keeps the results until the
 * client takes them. Thread-safe.
 */
final class EventStage implements Runnable {
  /** The results that wait for the client; the users' code continues when some are taken. */
  private static final EventLimits MADE_LIMITS = new EventLimits(1024, 1 << 20, false);

  /** The listener. */
  interface Source {
    /** Whether {@link #next} would return an event. */
    boolean hasNext();

    /** The next event; null if there is none. */
    @Nullable ClientEvent next();

    /** Notifies that there are results. */
    void ready();

    /** Notifies that an event failed and is left out. */
    void leftOut(String reason);

    /** Notifies that the listener can't continue. */
    void fail(String reason);
  }

  private final EventTransform transform;
  private final Executor threads;
  private final Source source;
  private final ByteBudget.Share share;

  /** Whether there is a thread. A thread that ends clears this and then checks once more. */
  private final AtomicBoolean isRunning = new AtomicBoolean();

  /**
   * Held briefly; the listener's lock may be held before, and only a value's lock is taken under
   * it.
   */
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final EventBacklog made;

  /** Guarded by the lock. */
  private boolean closed;

  /**
   * Makes a stage without a thread.
   *
   * @param threads runs this where it may block
   * @param share the share of the connection, on which events count while they wait
   */
  EventStage(EventTransform transform, Executor threads, Source source, ByteBudget.Share share) {
    this.transform = transform;
    this.threads = threads;
    this.source = source;
    this.share = share;
    this.made = new EventBacklog(MADE_LIMITS, share);
  }

  /** Notifies that there may be something to do. */
  void wake() {
    if (hasWork() && isRunning.compareAndSet(false, true)) {
      threads.execute(this);
    }
  }

  private boolean hasWork() {
    return hasRoom() && source.hasNext();
  }

  private boolean hasRoom() {
    lock.lock();
    try {
      return !closed && !made.isFull();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void run() {
    boolean goesOn = true;
    while (goesOn) {
      try {
        drain();
      } finally {
        isRunning.set(false);
      }
      goesOn = hasWork() && isRunning.compareAndSet(false, true);
    }
  }

  private void drain() {
    ClientEvent event = hasRoom() ? source.next() : null;
    while (event != null) {
      ClientEvent content = apply(event);
      if (content != null) {
        keep(content);
      }
      event = hasRoom() ? source.next() : null;
    }
  }

  private void keep(ClientEvent event) {
    boolean isKept;
    lock.lock();
    try {
      isKept = closed || made.tryAdd(event);
    } finally {
      lock.unlock();
    }
    if (isKept) {
      source.ready();
    } else {
      source.fail("no memory for a converter's result: " + share);
    }
  }

  /** The event for the client; null if it is left out. Runs users' code. */
  @Nullable ClientEvent apply(ClientEvent event) {
    try {
      return transform.apply(event);
    } catch (Exception | LinkageError failure) {
      source.leftOut("its filter or converter failed: " + failure);
      return null;
    }
  }

  /** The next event for the client; null if there is none. */
  @Nullable ClientEvent poll() {
    lock.lock();
    try {
      return made.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Drops waiting events and results. The users' code ends with its current event. */
  void close() {
    lock.lock();
    try {
      closed = true;
      made.clear();
    } finally {
      lock.unlock();
    }
  }
}
