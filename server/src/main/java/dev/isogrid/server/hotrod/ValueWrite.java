package dev.isogrid.server.hotrod;

import dev.isogrid.codec.Conversion;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.ByteBufBytes;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import org.jspecify.annotations.Nullable;

/** Makes writes of requests. Reusable; for one connection. */
final class ValueWrite {
  private final Request request;
  private final ByteBufBytes unconverted = new ByteBufBytes();
  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();

  ValueWrite(Request request) {
    this.request = request;
  }

  /**
   * A put of a value of the request, with the request's times and without a condition.
   *
   * @param mediaType the media type of the request's values, or null if it has none
   * @return valid until the next call
   */
  KeyWrite<BinaryKey, Bytes> put(
      Request.Range value, CacheHandle cache, @Nullable String mediaType) {
    return write
        .put(value(value, cache, mediaType))
        .expiry(request.lifespanMillis, request.maxIdleMillis)
        .attributes(0, cache.mediaTypeToKeep(mediaType))
        .silent(request.isSilent());
  }

  /** A removal without a condition; valid until the next call. */
  KeyWrite<BinaryKey, Bytes> remove() {
    return write.remove().silent(request.isSilent());
  }

  /** A value of the request in the stored form; valid until the next call. */
  Bytes value(Request.Range value, CacheHandle cache, @Nullable String mediaType) {
    unconverted.set(request.in, value.index, value.length);
    Conversion conversion = cache.values.toStored(mediaType);
    return conversion == null
        ? unconverted
        : Bytes.of(conversion.convert(unconverted.toByteArray()));
  }

  /** Forgets the request's bytes. */
  void release() {
    unconverted.clear();
  }
}
