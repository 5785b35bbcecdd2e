package dev.isogrid.client;

import dev.isogrid.api.Expiry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A cache whose values are read and written portion by portion, so that a value need not fit the
 * memory of the client: a stream holds two or three portions. Thread-safe; any number of streams
 * share the connection to a server, which allows some hundred of them at a time.
 *
 * <p>A value consists of the bytes in the cache: no marshaller is used. So values that were written
 * here are read here, or by a cache whose marshaller is {@link BytesMarshaller}, and vice versa.
 * Servers must speak version 4.1 of the protocol.
 *
 * <p>A stream depends on its connection: it fails if that is lost, and nothing is stored then.
 *
 * @param <K> the keys
 */
public final class StreamingRemoteCache<K> {
  /** The size of a portion by default, in bytes. */
  public static final int PORTION_BYTES = 64 << 10;

  /** The greatest size of a portion: a part of the 10 MB that a server takes in one request. */
  public static final int PORTION_BYTES_MAX = 4 << 20;

  private final Router router;
  private final RequestFormat format;
  private final int portionBytes;

  StreamingRemoteCache(Router router, RequestFormat format, int portionBytes) {
    if (portionBytes < 1 || portionBytes > PORTION_BYTES_MAX) {
      throw new IllegalArgumentException(
          "invalid size of portions: bytes=%d; 1 to %d".formatted(portionBytes, PORTION_BYTES_MAX));
    }
    this.router = router;
    this.format = format.withFlags(format.flags() & ~Flag.FORCE_RETURN_VALUE.bit());
    this.portionBytes = portionBytes;
  }

  private StreamedPut.Target target(K key) {
    return new StreamedPut.Target(router, format, bytes(key));
  }

  private byte[] bytes(K key) {
    return format.keys().keyBytes(Objects.requireNonNull(key, "key"));
  }

  private ValueOutputStream write(StreamedPut put) {
    return new ValueOutputStream(put, portionBytes);
  }

  private CompletableFuture<Boolean> write(
      StreamedPut put, Flow.Publisher<? extends ByteBuffer> value) {
    Objects.requireNonNull(value, "value");
    return PublishedPut.of(put, portionBytes, value);
  }

  // ---- reads ----------------------------------------------------------------------------------

  /**
   * Begins to read a value; one round trip.
   *
   * @return to be closed; null if there is no entry
   * @throws HotRodClientException if no server could be asked
   */
  public @Nullable ValueInputStream get(K key) {
    StartReadOperation.Started started =
        router.call(new StartReadOperation(format, bytes(key), portionBytes));
    return started == null ? null : new ValueInputStream(started);
  }

  /**
   * As {@link #get}, for callers that take portions as they arrive; must be subscribed to, or
   * closed.
   */
  public CompletableFuture<@Nullable ValuePublisher> getAsync(K key) {
    return router
        .send(new StartReadOperation(format, bytes(key), portionBytes))
        .thenApply(started -> started == null ? null : new ValuePublisher(started));
  }

  // ---- writes ---------------------------------------------------------------------------------

  /** Begins to write a value, which is stored when the stream is closed. */
  public ValueOutputStream put(K key) {
    return write(target(key).put(Lifetime.DEFAULT));
  }

  /** As {@link #put(Object)}, for a time; see {@link RemoteCache}. */
  public ValueOutputStream put(K key, long lifespan, TimeUnit unit) {
    return put(key, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #put(Object)}, for a time; see {@link RemoteCache}. */
  public ValueOutputStream put(K key, Duration lifespan) {
    return put(key, Expiry.lifespan(lifespan));
  }

  /** As {@link #put(Object)}, for a time, or until it is not used for some time. */
  public ValueOutputStream put(K key, Duration lifespan, Duration maxIdle) {
    return put(key, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** As {@link #put(Object)}, for a time, or until it is not used for some time. */
  public ValueOutputStream put(K key, Expiry expiry) {
    return write(target(key).put(Lifetime.of(expiry)));
  }

  /** As {@link #put(Object)}, for a time, or until it is not used for some time. */
  public ValueOutputStream put(
      K key, long lifespan, TimeUnit unit, long maxIdle, TimeUnit maxIdleUnit) {
    return put(key, Expiry.lifespan(lifespan, unit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /**
   * As {@link #put(Object)}, but the value is stored only if there is none then; {@link
   * ValueOutputStream#isStored} returns whether it was.
   */
  public ValueOutputStream putIfAbsent(K key) {
    return write(target(key).putIfAbsent(Lifetime.DEFAULT));
  }

  /** As {@link #putIfAbsent(Object)}, for a time. */
  public ValueOutputStream putIfAbsent(K key, long lifespan, TimeUnit unit) {
    return putIfAbsent(key, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #putIfAbsent(Object)}, for a time. */
  public ValueOutputStream putIfAbsent(K key, Duration lifespan) {
    return putIfAbsent(key, Expiry.lifespan(lifespan));
  }

  /** As {@link #putIfAbsent(Object)}, for a time, or until it is not used for some time. */
  public ValueOutputStream putIfAbsent(K key, Duration lifespan, Duration maxIdle) {
    return putIfAbsent(key, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** As {@link #putIfAbsent(Object)}, for a time, or until it is not used for some time. */
  public ValueOutputStream putIfAbsent(K key, Expiry expiry) {
    return write(target(key).putIfAbsent(Lifetime.of(expiry)));
  }

  /** As {@link #putIfAbsent(Object)}, for a time, or until it is not used for some time. */
  public ValueOutputStream putIfAbsent(
      K key, long lifespan, TimeUnit unit, long maxIdle, TimeUnit maxIdleUnit) {
    return putIfAbsent(key, Expiry.lifespan(lifespan, unit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /**
   * As {@link #put(Object)}, but the value is stored only if the entry has this version then;
   * {@link ValueOutputStream#isStored} returns whether it was.
   *
   * @param version one that was read, so not 0 or -1
   */
  public ValueOutputStream replaceWithVersion(K key, long version) {
    return write(target(key).replace(Lifetime.DEFAULT, version));
  }

  /** As {@link #replaceWithVersion(Object, long)}, for a time. */
  public ValueOutputStream replaceWithVersion(K key, long version, long lifespan, TimeUnit unit) {
    return replaceWithVersion(key, version, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #replaceWithVersion(Object, long)}, for a time. */
  public ValueOutputStream replaceWithVersion(K key, long version, Duration lifespan) {
    return replaceWithVersion(key, version, Expiry.lifespan(lifespan));
  }

  /** As {@link #replaceWithVersion(Object, long)}, for a time, or until it is not used. */
  public ValueOutputStream replaceWithVersion(
      K key, long version, Duration lifespan, Duration maxIdle) {
    return replaceWithVersion(key, version, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** As {@link #replaceWithVersion(Object, long)}, for a time, or until it is not used. */
  public ValueOutputStream replaceWithVersion(K key, long version, Expiry expiry) {
    return write(target(key).replace(Lifetime.of(expiry), version));
  }

  /** As {@link #replaceWithVersion(Object, long)}, for a time, or until it is not used. */
  // tidy: the parameters that users know
  public ValueOutputStream replaceWithVersion(
      K key, long version, long lifespan, TimeUnit unit, long maxIdle, TimeUnit maxIdleUnit) {
    return replaceWithVersion(
        key, version, Expiry.lifespan(lifespan, unit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  // ---- writes of what a publisher gives -------------------------------------------------------

  /**
   * Stores a value that a publisher delivers in parts of any size, one after the other. A buffer is
   * read during the call that delivers it, or until the next one is requested.
   *
   * @return completes with true; cancelling it, or a failure of the publisher, abandons the value
   */
  public CompletableFuture<Boolean> putAsync(K key, Flow.Publisher<? extends ByteBuffer> value) {
    return write(target(key).put(Lifetime.DEFAULT), value);
  }

  /** As {@link #putAsync(Object, Flow.Publisher)}, for a time. */
  public CompletableFuture<Boolean> putAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, long lifespan, TimeUnit unit) {
    return putAsync(key, value, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #putAsync(Object, Flow.Publisher)}, for a time. */
  public CompletableFuture<Boolean> putAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, Duration lifespan) {
    return putAsync(key, value, Expiry.lifespan(lifespan));
  }

  /** As {@link #putAsync(Object, Flow.Publisher)}, for a time, or until it is not used. */
  public CompletableFuture<Boolean> putAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, Duration lifespan, Duration maxIdle) {
    return putAsync(key, value, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** As {@link #putAsync(Object, Flow.Publisher)}, for a time, or until it is not used. */
  public CompletableFuture<Boolean> putAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, Expiry expiry) {
    return write(target(key).put(Lifetime.of(expiry)), value);
  }

  /**
   * As {@link #putAsync(Object, Flow.Publisher)} unless there is a value then; the result is
   * whether it was stored.
   */
  public CompletableFuture<Boolean> putIfAbsentAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value) {
    return putIfAbsentAsync(key, value, Expiry.DEFAULT);
  }

  /** As {@link #putIfAbsentAsync(Object, Flow.Publisher)}, for a time. */
  public CompletableFuture<Boolean> putIfAbsentAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, Duration lifespan) {
    return putIfAbsentAsync(key, value, Expiry.lifespan(lifespan));
  }

  /** As {@link #putIfAbsentAsync(Object, Flow.Publisher)}, for a time, or until it is not used. */
  public CompletableFuture<Boolean> putIfAbsentAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, Expiry expiry) {
    return write(target(key).putIfAbsent(Lifetime.of(expiry)), value);
  }

  /**
   * As {@link #putAsync(Object, Flow.Publisher)} if the entry has this version then; completes with
   * whether it was stored.
   */
  public CompletableFuture<Boolean> replaceWithVersionAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, long version) {
    return replaceWithVersionAsync(key, value, version, Expiry.DEFAULT);
  }

  /** As {@link #replaceWithVersionAsync(Object, Flow.Publisher, long)}, for a time. */
  public CompletableFuture<Boolean> replaceWithVersionAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, long version, Duration lifespan) {
    return replaceWithVersionAsync(key, value, version, Expiry.lifespan(lifespan));
  }

  /**
   * As {@link #replaceWithVersionAsync(Object, Flow.Publisher, long)}, for a time, or until it is
   * not used.
   */
  public CompletableFuture<Boolean> replaceWithVersionAsync(
      K key, Flow.Publisher<? extends ByteBuffer> value, long version, Expiry expiry) {
    return write(target(key).replace(Lifetime.of(expiry), version), value);
  }
}
