package dev.isogrid.cluster;

import dev.isogrid.base.Scheduler;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of streams to one node: sent in their order by one task at a time, which may block
 * while the node is slow. Those who add never block. Thread-safe.
 */
final class SendLane {
  /** Some chunks of a copy; more than flow control lets out at once. */
  private static final long WAITING_BYTES_MAX = 16 << 20;

  private static final int WAITING_MAX = 8192;

  private final Scheduler scheduler;
  private final Consumer<byte[]> sender;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean isRunning;

  /**
   * An empty lane.
   *
   * @param sender may block, and does not throw
   */
  SendLane(Scheduler scheduler, Consumer<byte[]> sender) {
    this.scheduler = scheduler;
    this.sender = sender;
  }

  /**
   * Takes a message to be sent, or refuses if too much waits already.
   *
   * @param bytes not changed from now on
   */
  boolean tryAdd(byte[] bytes) {
    lock.lock();
    try {
      boolean isFull =
          waiting.size() >= WAITING_MAX
              || (!waiting.isEmpty() && waitingBytes + bytes.length > WAITING_BYTES_MAX);
      if (isFull) {
        return false;
      }
      waiting.add(bytes);
      waitingBytes += bytes.length;
      if (isRunning) {
        return true;
      }
      isRunning = true;
    } finally {
      lock.unlock();
    }
    return tryRun();
  }

  private boolean tryRun() {
    try {
      scheduler.execute(this::sendAll);
      return true;
    } catch (RejectedExecutionException closed) {
      // The node is being closed.
      return false;
    }
  }

  private void sendAll() {
    for (byte[] next = poll(); next != null; next = poll()) {
      sender.accept(next);
    }
  }

  private byte @Nullable [] poll() {
    lock.lock();
    try {
      byte[] next = waiting.poll();
      if (next == null) {
        isRunning = false;
      } else {
        waitingBytes -= next.length;
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what was not sent: its receiver is gone. */
  void clear() {
    lock.lock();
    try {
      waiting.clear();
      waitingBytes = 0;
    } finally {
      lock.unlock();
    }
  }
}
