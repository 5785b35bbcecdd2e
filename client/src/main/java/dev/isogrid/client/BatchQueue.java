package dev.isogrid.client;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one bulk operation: a few are under way to each server, and the next one is sent
 * when one was answered, so that none waits at a server for all the others. After a failure no more
 * are sent. {@link #add} and {@link #end} are for one thread; answers come from any.
 */
final class BatchQueue {
  /** Enough to keep a server busy while answers and requests travel. */
  static final int UNDER_WAY_MAX = 4;

  private final Consumer<Operation<?>> sender;
  private final long waitingBytesMax;
  private final CompletableFuture<@Nullable Void> whole = new CompletableFuture<>();

  /** Guarded by this, as all that follows. */
  private final Map<@Nullable ServerLink, Lane> lanes = new HashMap<>();

  private long waitingBytes;
  private int left;
  private boolean isEnded;
  private @Nullable Throwable failure;

  /** The requests to one server. */
  private static final class Lane {
    final ArrayDeque<Operation<?>> waiting = new ArrayDeque<>();
    int underWay;
  }

  /**
   * Creates one.
   *
   * @param sender sends a request; it may make a thread that waits for answers wait, and fails by
   *     an exception
   * @param waitingBytesMax the most bytes that may wait here before {@link #add} makes its caller
   *     wait
   */
  BatchQueue(Consumer<Operation<?>> sender, long waitingBytesMax) {
    this.sender = sender;
    this.waitingBytesMax = waitingBytesMax;
  }

  /**
   * Sends a request, now or later.
   *
   * @param owner the server, or null if that is not known
   * @throws HotRodClientException if the thread is interrupted while too many bytes wait
   */
  void add(@Nullable ServerLink owner, Operation<?> request) {
    Lane lane;
    synchronized (this) {
      if (failure != null) {
        return;
      }
      left++;
      lane = lanes.computeIfAbsent(owner, o -> new Lane());
      if (lane.underWay >= UNDER_WAY_MAX) {
        lane.waiting.add(request);
        waitingBytes += request.size();
        awaitRoom();
        return;
      }
      lane.underWay++;
    }
    send(lane, request);
  }

  private void awaitRoom() {
    try {
      while (waitingBytes > waitingBytesMax && failure == null && !Transport.inEventLoop()) {
        wait(); // each request that is under way is answered or fails in time
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HotRodClientException("interrupted while requests are sent", interrupted);
    }
  }

  private void send(Lane lane, Operation<?> request) {
    request.whenComplete((result, cause) -> answered(lane, cause));
    try {
      sender.accept(request);
    } catch (RuntimeException cause) {
      request.fail(cause);
    }
  }

  private void answered(Lane lane, @Nullable Throwable cause) {
    Operation<?> next;
    synchronized (this) {
      lane.underWay--;
      left--;
      if (cause != null && failure == null) {
        failure = cause;
        lanes.values().forEach(this::giveUp);
      }
      next = lane.waiting.poll();
      if (next != null) {
        lane.underWay++;
        waitingBytes -= next.size();
      }
      notifyAll();
    }
    if (next != null) {
      send(lane, next);
    }
    endIfOver();
  }

  private void giveUp(Lane lane) {
    left -= lane.waiting.size();
    lane.waiting.clear();
  }

  /** Ends the series of requests; completes when all were answered. */
  CompletableFuture<@Nullable Void> end() {
    synchronized (this) {
      isEnded = true;
    }
    endIfOver();
    return whole;
  }

  private void endIfOver() {
    Throwable cause;
    synchronized (this) {
      if (!isEnded || left > 0) {
        return;
      }
      cause = failure;
    }
    if (cause != null) {
      whole.completeExceptionally(cause);
    } else {
      whole.complete(null);
    }
  }
}
