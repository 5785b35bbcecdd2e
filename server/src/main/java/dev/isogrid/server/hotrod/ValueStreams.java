package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The values that one connection reads or writes in chunks, by their ids. What its client does not
 * use for 5 minutes is given up, and all of it when the connection ends.
 *
 * <p>A stream belongs to who gets it from {@link #take}: another thread may, to commit it. All else
 * is for the connection's event loop but {@link #add}.
 */
final class ValueStreams {
  /** Each may keep a value from being freed, or memory reserved; clients have one a thread. */
  static final int OPEN_MAX = 256;

  static final int IDLE_MINUTES = 5;

  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(IDLE_MINUTES);

  /** How much later than it could a stream may be given up. */
  private static final long SWEEP_MILLIS = 30_000;

  private final Env env;
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
   * @param executor the connection's event loop
   * @param valueMax the largest value that may be written in chunks
   * @param messageMax the largest one that is converted, and the largest chunk that is sent
   */
  ValueStreams(Env env, EventExecutor executor, int valueMax, int messageMax) {
    this.env = env;
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

  /** Refuses one more stream if there are as many as allowed. */
  void checkRoom() {
    if (open.size() >= OPEN_MAX) {
      throw new InvalidRequestException(
          "too many streams on one connection: limit=%d; end some first".formatted(OPEN_MAX));
    }
  }

  /** An id that no other stream of the connection has had, for {@link #add}. */
  int newId() {
    return nextId.getAndIncrement();
  }

  /** Takes a stream; closes it if the connection has ended. Any thread. */
  synchronized void add(int id, ValueStream stream) {
    if (closed) {
      stream.close();
      return;
    }
    stream.lastUsedNanos = env.nanoClock().nanoTime();
    open.put(id, stream);
    if (sweeper == null) {
      sweeper = env.scheduler().every(SWEEP_MILLIS, () -> executor.execute(this::sweep));
    }
  }

  /** A stream for a use of it, or null if there is none of the id, the kind and the cache. */
  <S extends ValueStream> @Nullable S find(int id, Class<S> kind, CacheHandle cache) {
    ValueStream stream = open.get(id);
    if (!kind.isInstance(stream) || !stream.engine.equals(cache.engine)) {
      return null;
    }
    stream.lastUsedNanos = env.nanoClock().nanoTime();
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

  /** Takes an old put to be committed; the caller closes it. Any thread. */
  @Nullable PutStream takeComplete(long messageId) {
    return complete.remove(messageId);
  }

  private void sweep() {
    long now = env.nanoClock().nanoTime();
    open.forEach((id, stream) -> {
      if (now - stream.lastUsedNanos >= IDLE_NANOS && open.remove(id, stream)) {
        stream.close();
      }
    });
    endSweeping();
  }

  private synchronized void endSweeping() {
    if (sweeper != null && (open.isEmpty() || closed)) {
      sweeper.close();
      sweeper = null;
    }
  }

  /** Gives all streams up, but those that were taken. */
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
