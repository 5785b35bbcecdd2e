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
 * The requests of one connection that are executed aside, many at the same time: those that may
 * have to wait for other nodes, or take long. Each is on a virtual thread, but for writes of one
 * key that wait for other nodes only. Their replies leave in the order of completion. For the
 * connection's event loop except where noted.
 */
final class AsideRequests {
  /*
   * Limits. The number of requests, their bytes, the expected bytes of their replies, and the
   * connection's share of the server's places are limited; one request is always allowed. A reply
   * is expected to be as large as the largest recent one. At a limit, further requests wait, and
   * nothing more is read. A client that reads small values and then many large ones at once can
   * exceed the limit of replies once.
   *
   * Hand-over. A finished request pushes itself on a stack, and wakes the event loop if the stack
   * was empty: one wake-up for all requests that finish before the loop runs. The loop takes the
   * whole stack and reverses it.
   *
   * Writes of one key that other nodes decide on need no thread: the event loop begins them, the
   * thread that gets the answer pushes them, and the event loop writes the reply. Others,
   * such as those whose conversion fails, are done again on a virtual thread.
   */

  /** Requests in flight, including those whose reply the client has not taken. */
  static final int COUNT_MAX = 1024;

  /** Listeners that receive the initial state of their cache at the same time. */
  static final int STATES_MAX = 4;

  /** Bytes of requests in flight, and expected bytes of their replies. */
  static final int SIZE_MAX = 8 << 20;

  /** The share of an expected size that it loses with each smaller reply: 1/64. */
  private static final int FORGET_SHIFT = 6;

  private final AsidePool pool;
  private final OutputGate gate;
  private final EventExecutor executor;
  private final ByteBufAllocator allocator;
  private final Runnable whenDone;
  private final AtomicReference<@Nullable AsideRequest> done = new AtomicReference<>();

  /** The requests whose reply waits for room in the output, the oldest first. */
  private @Nullable AsideRequest ready;

  private @Nullable AsideRequest lastReady;

  /** The request that must finish before the connection begins another one; null for none. */
  private @Nullable AsideRequest ahead;

  private int count;

  /** The part of {@link #count} for listeners that receive a state. */
  private int stateCount;

  private long size;
  private long expectedReplySize;
  private boolean closed;

  /**
   * Begins without requests.
   *
   * @param gate the output for replies
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

  /** Whether there are no requests whose reply is not sent. */
  boolean isEmpty() {
    return count == 0;
  }

  /** Whether no other request may begin until one is done. */
  boolean holdsBack() {
    return ahead != null;
  }

  /**
   * Whether one more request may be executed aside.
   *
   * @param tellsState whether it is for a listener that receives the initial state of its cache
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
   * Executes a request aside. {@link #hasRoom} must have returned true.
   *
   * @param bytes the request; borrowed
   * @param cache the cache as the connection uses it, or null if there is none
   * @throws RetryableGridException if the server has too many of them, or is stopping
   */
  void start(ByteBuf bytes, @Nullable CacheHandle cache, ConnectionState state, HandOver handOver) {
    boolean tellsState = handOver.tellsState();
    AsidePlaces places = pool.places(tellsState);
    if (!places.tryTake()) {
      throw new RetryableGridException(
          "too many requests wait for %s: limit=%d; try again or another server"
              .formatted(tellsState ? "their clients" : "other nodes", places.max()));
    }
    AsideRequest request = pool.take(allocator);
    request.fill(this, bytes, cache, state);
    request.handOver(handOver);
    ahead = handOver.holdsBack() ? request : ahead;
    try {
      if (!request.tryBegin()) {
        pool.context().node().env().scheduler().execute(request);
      }
    } catch (RejectedExecutionException failure) {
      request.release();
      ahead = null;
      places.give();
      throw new RetryableGridException("server is stopping; try another one", failure);
    }
    count++;
    stateCount += tellsState ? 1 : 0;
    size += bytes.readableBytes();
  }

  /** Notes that a request was executed, or has its outcome. Any thread. */
  void done(AsideRequest request) {
    if (!request.isBegun()) {
      request.endExecution();
    }
    pool.places(request.handOver().tellsState()).give();
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
      ahead = request == ahead ? null : ahead;
      stateCount -= request.handOver().tellsState() ? 1 : 0;
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

  /** Appends the finished requests to the ready ones, in the order of completion. */
  private void takeDone() {
    AsideRequest newest = done.getAndSet(null);
    AsideRequest oldest = null;
    for (AsideRequest request = newest; request != null; ) {
      AsideRequest before = request.next;
      if (request.isBegun()) {
        request.finish();
      }
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
      if (request.isBegun()) {
        request.finish();
      }
      request.output().drop();
      free(request);
      request = next;
    }
  }

  /** Drops all replies, including those still to come. */
  void close() {
    closed = true;
    AsideRequest first = ready;
    ready = null;
    lastReady = null;
    drop(first);
    dropDone();
  }
}
