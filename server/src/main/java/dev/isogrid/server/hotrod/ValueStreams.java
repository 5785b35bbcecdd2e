package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.server.net.ByteBudget;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The values that one connection reads or writes in chunks, by their ids. A value without progress
 * for 5 minutes is given up, and all are when the connection ends.
 *
 * <p>The caller of {@link #take} owns the stream; it may be another thread, which commits it. All
 * other methods except {@link #add} are for the connection's event loop.
 */
final class ValueStreams {
  /**
   * The most streams. Each may keep a value from being freed, or memory reserved; clients have one
   * per thread.
   */
  static final int OPEN_MAX = 256;

  static final int IDLE_MINUTES = 5;

  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(IDLE_MINUTES);

  /** The longest delay of giving up a stream. */
  private static final long SWEEP_MILLIS = 30_000;

  private final Env env;
  private final ConnectionShares shares;
  private final EventExecutor executor;
  private final int valueMax;
  private final int messageMax;
  private final Map<Integer, ValueStream> open = new ConcurrentHashMap<>();
  private final AtomicInteger nextId = new AtomicInteger();

  /** Old put requests whose chunks have all arrived, by their message ids. */
  private final Map<Long, PutStream> complete = new ConcurrentHashMap<>();

  /** The old put request whose chunks are arriving, or null. */
  private @Nullable ChunkedBody body;

  /** Guarded by this. */
  private Scheduler.@Nullable Task sweeper;

  /** Guarded by this. */
  private boolean closed;

  /**
   * Begins without streams.
   *
   * @param executor the event loop of the connection
   * @param shares the shares of the connection
   * @param valueMax the largest value that may be written in chunks
   * @param messageMax the largest converted value, and the largest chunk that is sent
   */
  ValueStreams(
      Env env, EventExecutor executor, ConnectionShares shares, int valueMax, int messageMax) {
    this.env = env;
    this.shares = shares;
    this.executor = executor;
    this.valueMax = valueMax;
    this.messageMax = messageMax;
  }

  int valueMax() {
    return valueMax;
  }

  int messageMax() {
    return messageMax;
  }

  /** The share for the arriving values of a cache. */
  ByteBudget.Share unfinished(CacheHandle cache) {
    boolean isOffHeap = cache.engine.config().storage() == StorageType.OFF_HEAP;
    return isOffHeap ? shares.offHeapStreams() : shares.heapStreams();
  }

  /** The share for the parts of all arriving values that are on the heap. */
  ByteBudget.Share unfinishedOnHeap() {
    return shares.heapStreams();
  }

  /** Refuses one more stream at the limit. */
  void checkRoom() {
    if (open.size() >= OPEN_MAX) {
      throw new InvalidRequestException(
          "too many streams on one connection: limit=%d; end some first".formatted(OPEN_MAX));
    }
  }

  /** An id that is new on the connection, for {@link #add}. */
  int newId() {
    return nextId.getAndIncrement();
  }

  /** Takes a stream; closes it if the connection has ended. Any thread. */
  synchronized void add(int id, ValueStream stream) {
    if (closed) {
      stream.close();
      return;
    }
    stream.begin(nowNanos());
    open.put(id, stream);
    beginSweeping();
  }

  private long nowNanos() {
    return env.nanoClock().nanoTime();
  }

  private synchronized void beginSweeping() {
    if (sweeper == null && !closed) {
      sweeper = env.scheduler().every(SWEEP_MILLIS, () -> executor.execute(this::sweep));
    }
  }

  /** Notes the position of a stream. */
  void noteProgress(ValueStream stream) {
    stream.noteProgress(nowNanos());
  }

  /** A stream for use, or null if none has the id, the kind and the cache. */
  <S extends ValueStream> @Nullable S find(int id, Class<S> kind, CacheHandle cache) {
    ValueStream stream = open.get(id);
    if (!kind.isInstance(stream) || !stream.engine.equals(cache.engine)) {
      return null;
    }
    return kind.cast(stream);
  }

  /** Takes a stream from the connection; the caller closes it. Any thread. */
  <S extends ValueStream> @Nullable S take(int id, Class<S> kind, CacheHandle cache) {
    ValueStream stream = open.get(id);
    boolean fits = kind.isInstance(stream) && stream.engine.equals(cache.engine);
    return fits && open.remove(id, stream) ? kind.cast(stream) : null;
  }

  /** Closes a stream, if there is one of the id. */
  void end(int id) {
    ValueStream stream = open.remove(id);
    if (stream != null) {
      stream.close();
    }
  }

  /** The request whose chunks are arriving, or null. */
  @Nullable ChunkedBody body() {
    return body;
  }

  void beginBody(ChunkedBody begun) {
    body = begun;
    begun.begin(nowNanos());
    beginSweeping();
  }

  /** Notes that chunks of the request have arrived. */
  void noteBody() {
    if (body != null) {
      body.noteProgress(nowNanos());
    }
  }

  /** Ends the request whose chunks were arriving. */
  void endBody(long messageId) {
    ChunkedBody ended = body;
    body = null;
    if (ended != null && ended.close()) {
      complete.remove(messageId);
    }
  }

  /** Keeps an old put until another thread commits it. */
  void keepComplete(long messageId, PutStream stream) {
    complete.put(messageId, stream);
  }

  /** Takes an old put to commit it; the caller closes it. Any thread. */
  @Nullable PutStream takeComplete(long messageId) {
    return complete.remove(messageId);
  }

  private void sweep() {
    long now = nowNanos();
    open.forEach((id, stream) -> {
      if (stream.idleNanos(now) >= IDLE_NANOS && open.remove(id, stream)) {
        stream.close();
      }
    });
    if (body != null && body.idleNanos(now) >= IDLE_NANOS) {
      body.fail(
          new InvalidRequestException(
              "value given up: too few of its chunks arrived in %d minutes; put it again"
                  .formatted(IDLE_MINUTES)));
    }
    endSweeping();
  }

  private synchronized void endSweeping() {
    if (sweeper != null && (closed || (open.isEmpty() && body == null))) {
      sweeper.close();
      sweeper = null;
    }
  }

  /** Gives up all values without their last chunk, since others need the memory. */
  void endUnfinished() {
    open.forEach((id, stream) -> {
      if (stream instanceof PutStream && open.remove(id, stream)) {
        stream.close();
      }
    });
    if (body != null) {
      body.fail(
          new InvalidRequestException(
              "value given up: others need the memory, and its chunks came too slowly; put it"
                  + " again"));
    }
    endSweeping();
  }

  /** Gives up all streams except the taken ones. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    endSweeping();
    for (Integer id : List.copyOf(open.keySet())) {
      end(id);
    }
    if (body != null) {
      body.close();
      body = null;
    }
    for (Long messageId : List.copyOf(complete.keySet())) {
      PutStream stream = complete.remove(messageId);
      if (stream != null) {
        stream.close();
      }
    }
  }
}
