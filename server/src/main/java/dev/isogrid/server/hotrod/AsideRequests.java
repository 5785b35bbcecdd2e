package dev.isogrid.server.hotrod;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.server.net.AsidePlaces;
import dev.isogrid.server.net.OutputGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection that are executed aside, many at the same time, each on a virtual
 * thread: those that may have to wait for other nodes, or take long. Their replies leave in the
 * order in which they are done. For the connection's event loop but where noted.
 */
final class AsideRequests {
  /*
   * Limits. So many requests, so many bytes of them, and so many bytes of replies to come, each
   * taken to be as large as the largest one of late; and no more than the connection's share of
   * the server's places; but always one. When the connection has that
   * much under way, what else arrived waits, and nothing more is read. A client that asks for small
   * values and then for many large ones at once can overshoot the last limit once.
   *
   * Hand-over. A finished request pushes itself on a stack, and wakes the event loop if the stack
   * was empty: one wake-up for all that are done until the loop gets to it. The loop takes the
   * whole stack and turns it around.
   */

  /** Requests under way, those included whose reply the client has not taken. */
  static final int COUNT_MAX = 1024;

  /** Listeners that are told the state of their cache at the same time. */
  static final int STATES_MAX = 4;

  /** Bytes of requests under way, and bytes that their replies are expected to take. */
  static final int SIZE_MAX = 8 << 20;

  /** An expected size loses so much of itself with each smaller reply: 1/64. */
  private static final int FORGET_SHIFT = 6;

  private final AsidePool pool;
  private final OutputGate gate;
  private final EventExecutor executor;
  private final ByteBufAllocator allocator;
  private final Runnable whenDone;
  private final AtomicReference<@Nullable AsideRequest> done = new AtomicReference<>();

  /** Those whose reply waits for room in the output, the oldest first. */
  private @Nullable AsideRequest ready;

  private @Nullable AsideRequest lastReady;
  private int count;

  /** Those of {@link #count} that tell the state of a cache. */
  private int stateCount;

  private long size;
  private long expectedReplySize;
  private boolean closed;

  /**
   * Begins without requests.
   *
   * @param gate where replies go
   * @param whenDone run on the event loop when there are replies to {@link #moveReplies}
   */
  AsideRequests(
      AsidePool pool,
      OutputGate gate,
      EventExecutor executor,
      ByteBufAllocator allocator,
      Runnable whenDone) {
    this.pool = pool;
    this.gate = gate;
    this.executor = executor;
    this.allocator = allocator;
    this.whenDone = whenDone;
  }

  /** Whether there are requests whose reply is not sent. */
  boolean isEmpty() {
    return count == 0;
  }

  /**
   * Whether one more request may be executed aside.
   *
   * @param tellsState whether it is for a listener that is told the state of its cache
   */
  boolean hasRoom(int requestSize, boolean tellsState) {
    if (count == 0) {
      return true;
    }
    boolean hasPlace =
        tellsState
            ? stateCount < STATES_MAX && pool.places(true).hasShare(stateCount)
            : count < COUNT_MAX && pool.places(false).hasShare(count);
    return hasPlace
        && size + requestSize <= SIZE_MAX
        && (count + 1) * expectedReplySize <= SIZE_MAX;
  }

  /**
   * Executes a request aside. {@link #hasRoom} must have said yes.
   *
   * @param bytes the request; borrowed
   * @param cache the cache as the connection uses it, or null if there is none
   * @param tellsState as for {@link #hasRoom}
   * @throws RetryableGridException if the server has too many of them, or is stopping
   */
  void start(
      ByteBuf bytes, @Nullable CacheHandle cache, ConnectionState state, boolean tellsState) {
    AsidePlaces places = pool.places(tellsState);
    if (!places.tryTake()) {
      throw new RetryableGridException(
          "too many requests wait for %s: limit=%d; try again or another server"
              .formatted(tellsState ? "their clients" : "other nodes", places.max()));
    }
    AsideRequest request = pool.take(allocator);
    request.fill(this, bytes, cache, state);
    request.tellsState(tellsState);
    try {
      pool.context().node().env().scheduler().execute(request);
    } catch (RejectedExecutionException failure) {
      request.release();
      places.give();
      throw new RetryableGridException("server is stopping; try another one", failure);
    }
    count++;
    stateCount += tellsState ? 1 : 0;
    size += bytes.readableBytes();
  }

  /** Notes that a request is executed. Any thread. */
  void done(AsideRequest request) {
    request.endExecution();
    pool.places(request.tellsState()).give();
    AsideRequest before;
    do {
      before = done.get();
      request.next = before;
    } while (!done.compareAndSet(before, request));
    if (before == null) {
      try {
        executor.execute(whenDone);
      } catch (RejectedExecutionException _) {
        dropDone(); // the event loop has ended, and the connection with it
      }
    }
  }

  /** Moves replies to the output, as far as the client takes them. */
  void moveReplies() {
    if (closed) {
      dropDone();
      return;
    }
    takeDone();
    AsideRequest request = ready;
    while (request != null && gate.isOpen()) {
      AsideRequest next = request.next;
      long replySize = request.replySize();
      expectedReplySize =
          Math.max(replySize, expectedReplySize - (expectedReplySize >> FORGET_SHIFT));
      count--;
      stateCount -= request.tellsState() ? 1 : 0;
      size -= request.size();
      request.output().moveTo(gate);
      request.answered();
      free(request);
      request = next;
    }
    ready = request;
    if (request == null) {
      lastReady = null;
    }
  }

  /** Appends those that are done to those that are ready, in the order in which they were done. */
  private void takeDone() {
    AsideRequest newest = done.getAndSet(null);
    AsideRequest oldest = null;
    for (AsideRequest request = newest; request != null; ) {
      AsideRequest before = request.next;
      request.next = oldest;
      oldest = request;
      request = before;
    }
    if (oldest == null) {
      return;
    }
    if (lastReady == null) {
      ready = oldest;
    } else {
      lastReady.next = oldest;
    }
    lastReady = newest;
  }

  private void free(AsideRequest request) {
    request.release();
    pool.keep(request);
  }

  /** Any thread, since a finished request belongs to the thread that takes it. */
  private void dropDone() {
    drop(done.getAndSet(null));
  }

  private void drop(@Nullable AsideRequest first) {
    for (AsideRequest request = first; request != null; ) {
      AsideRequest next = request.next;
      request.output().drop();
      free(request);
      request = next;
    }
  }

  /** Drops all replies, those included that are still to come. */
  void close() {
    closed = true;
    AsideRequest first = ready;
    ready = null;
    lastReady = null;
    drop(first);
    dropDone();
  }
}
