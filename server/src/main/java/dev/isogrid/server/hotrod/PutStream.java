package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.IncomingValue;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A value that a client writes chunk by chunk, into the storage of its cache. It is invisible
 * before {@link #commit}.
 *
 * <p>The event loop appends. The thread that takes the stream from {@link ValueStreams}, which may
 * be another one, appends the last chunk, commits and closes it. Chunks that arrive after the last
 * one are refused.
 */
final class PutStream extends ValueStream {
  /** The expected version that means no condition. */
  private static final long ANY_VERSION = 0;

  /** The expected version that means the absence of an entry. */
  private static final long ABSENT_VERSION = -1;

  /** The part of the received bytes that counts as progress, 1/16: in 5 minutes 64 MiB of 1 GiB. */
  private static final int STEP_SHIFT = 4;

  /**
   * The memory that a stream needs on the heap beside its key and the bytes that have arrived: its
   * objects, and room for the first bytes.
   */
  static final int HEAP_BYTES = 5 << 10;

  private final BinaryKey key;
  private final long expectedVersion;
  private final long lifespanMillis;
  private final long maxIdleMillis;
  private final @Nullable String mediaTypeToKeep;
  private final boolean isSilent;

  /** The conversion of the value, or null for none. */
  private final @Nullable Conversion conversion;

  private final int sizeMax;

  /** Whether the cache takes less than the server. */
  private final boolean isCacheBound;

  private final IncomingValue value;

  /** The share of the connection, on which the bytes count until this is closed. */
  private final ByteBudget.Share share;

  /** The share of the connection for the heap, on which the key and this count. */
  private final ByteBudget.Share heapShare;

  /** The counted bytes. Guarded by this. */
  private long counted;

  /** The bytes that count on the share for the heap. Guarded by this. */
  private long countedHeap;

  /** Whether the last chunk has arrived. Guarded by this. */
  private boolean ending;

  /** The failure, or null. Guarded by this. */
  private @Nullable RuntimeException failure;

  /**
   * Begins without bytes.
   *
   * @param request has the times, the condition and the flags
   * @param key the stored form; copied
   * @param streams the streams of the connection, which know the limits
   * @throws InvalidRequestException if there is no memory for it
   */
  PutStream(Request request, CacheHandle cache, BinaryKey key, ValueStreams streams) {
    super(cache.engine);
    this.share = streams.unfinished(cache);
    String type = request.valueMediaType();
    this.conversion = cache.values.toStored(type);
    this.heapShare = streams.unfinishedOnHeap();
    this.expectedVersion = request.entryVersion;
    this.lifespanMillis = request.lifespanMillis;
    this.maxIdleMillis = request.maxIdleMillis;
    this.mediaTypeToKeep = cache.mediaTypeToKeep(type);
    this.isSilent = request.isSilent();
    int cacheMax = engine.incomingValueMax(key);
    int storedMax = Math.min(streams.valueMax(), cacheMax);
    this.isCacheBound = cacheMax < streams.valueMax();
    this.sizeMax = conversion != null ? Math.min(storedMax, streams.messageMax()) : storedMax;
    this.value = engine.newIncomingValue();
    int needed = HEAP_BYTES + key.length();
    if (!heapShare.tryTake(needed)) {
      value.close();
      throw new InvalidRequestException(
          "no memory for another streamed value: cache=%s, keySize=%d, %s; end some, or try later"
              .formatted(engine.name(), key.length(), heapShare));
    }
    this.countedHeap = needed;
    this.key = BinaryKey.of(key.toByteArray());
  }

  /** The hash of the key. */
  int hash() {
    return key.hash();
  }

  /**
   * Appends bytes.
   *
   * @return false if the last ones have arrived already
   * @throws InvalidRequestException if the value exceeds the limit
   * @throws dev.isogrid.api.CacheFullException if there is no memory
   */
  synchronized boolean append(ByteBuf in, Request.Range range) {
    if (ending) {
      return false;
    }
    doAppend(in, range.index, range.length);
    return true;
  }

  /** Notes that the request with the last bytes has arrived, and waits to be executed. */
  synchronized void end() {
    ending = true;
  }

  /** Appends the last bytes, which may be none. */
  synchronized void appendLast(ByteBuf in, Request.Range range) {
    ending = true;
    doAppend(in, range.index, range.length);
    value.complete();
  }

  /**
   * After a failure, all further bytes fail for the same reason: some of them are already under
   * way.
   */
  private void doAppend(ByteBuf in, int index, int length) {
    if (failure != null) {
      throw failure;
    }
    try {
      checkSize((long) value.length() + length);
      if (length > 0) {
        count(length);
        for (ByteBuffer part : in.nioBuffers(index, length)) {
          engine.append(value, part);
        }
      }
    } catch (RuntimeException refused) {
      failure = refused;
      close();
      throw refused;
    }
  }

  private void count(int length) {
    if (!share.tryTake(length)) {
      throw new InvalidRequestException(
          "no memory for more of a streamed value: cache=%s, size=%d, %s; try again later"
              .formatted(engine.name(), value.length() + (long) length, share));
    }
    counted += length;
  }

  private void checkSize(long size) {
    if (size > sizeMax) {
      throw new InvalidRequestException(
          "streamed value too large: cache=%s, size=%d or more, limit=%d; %s"
              .formatted(engine.name(), size, sizeMax, advice()));
    }
  }

  private String advice() {
    if (conversion != null) {
      return "send it in the media type of the cache, or smaller values";
    }
    if (engine.isClustered()) {
      return "a value must fit a message between the nodes of a cluster; split it, or use a local"
          + " cache; a node that is alone takes --streamed-value-max";
    }
    return isCacheBound
        ? "the store of the cache gets it from the heap, of which it may take a quarter; split it,"
            + " or raise -Xmx"
        : "split it, or raise --streamed-value-max";
  }

  /** Writes the entry if its condition holds. Once, after {@link #appendLast}. */
  KeyWrite.Outcome commit() {
    Bytes stored = conversion == null ? value : Bytes.of(conversion.convert(value.toByteArray()));
    KeyWrite<BinaryKey, Bytes> write =
        new KeyWrite<BinaryKey, Bytes>()
            .put(stored)
            .expiry(lifespanMillis, maxIdleMillis)
            .attributes(0, mediaTypeToKeep)
            .silent(isSilent);
    if (expectedVersion == ABSENT_VERSION) {
      write.when(KeyWrite.Condition.ABSENT);
    } else if (expectedVersion != ANY_VERSION) {
      write.whenVersion(expectedVersion);
    }
    engine.write(key, key.hash(), write);
    return write.outcome();
  }

  @Override
  long positionBytes() {
    return value.length();
  }

  @Override
  long stepBytes() {
    return value.length() >> STEP_SHIFT;
  }

  @Override
  synchronized void close() {
    value.close();
    share.give(counted);
    counted = 0;
    heapShare.give(countedHeap);
    countedHeap = 0;
  }
}
