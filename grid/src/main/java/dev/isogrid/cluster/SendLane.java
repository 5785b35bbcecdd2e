package dev.isogrid.cluster;

import dev.isogrid.base.Scheduler;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of streams to one node: sent in their order by one thread at a time, which may block
 * while the node is slow. Those who add never block. Thread-safe.
 */
final class SendLane {
  /** Some chunks of a copy; more than flow control lets out at once. */
  private static final long WAITING_BYTES_MAX = 16 << 20;

  private static final int WAITING_MAX = 8192;

  /** Messages queued for sending by another thread. */
  private static final int CALLER_MAX = 64;

  private final Scheduler scheduler;
  private final Consumer<byte[]> sender;
  private final Consumer<SendLane> starter;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean isRunning;

  /**
   * An empty lane.
   *
   * @param sender may block, and does not throw
   * @param starter sees to it that {@link #sendAside} or {@link #sendHere} is called soon; must not
   *     block
   */
  SendLane(Scheduler scheduler, Consumer<byte[]> sender, Consumer<SendLane> starter) {
    this.scheduler = scheduler;
    this.sender = sender;
    this.starter = starter;
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
    starter.accept(this);
    return true;
  }

  /** Lets a task send the messages that wait. */
  void sendAside() {
    try {
      scheduler.execute(this::sendAll);
    } catch (RejectedExecutionException closed) {
      clear(); // the node is being closed
    }
  }

  /** Sends what waits on this thread, which may block; has a task go on if that is much. */
  void sendHere() {
    for (int i = 0; i < CALLER_MAX; i++) {
      byte[] next = poll();
      if (next == null) {
        return;
      }
      sender.accept(next);
    }
    sendAside();
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
