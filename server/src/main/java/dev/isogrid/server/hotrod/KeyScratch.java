package dev.isogrid.server.hotrod;

import dev.isogrid.codec.Conversion;
import dev.isogrid.server.net.ByteBufBytes;
import dev.isogrid.store.BinaryKey;
import org.jspecify.annotations.Nullable;

/** Takes keys out of requests, in the stored form. For one connection. */
final class KeyScratch {
  /** Longer keys are rare, so no connection keeps memory for them. */
  private static final int KEPT_SIZE = 512;

  private final Request request;
  private final byte[] scratch = new byte[KEPT_SIZE];
  private final ByteBufBytes bytes = new ByteBufBytes();
  private final BinaryKey key = new BinaryKey();

  KeyScratch(Request request) {
    this.request = request;
  }

  /**
   * The key in a part of the request. Copies the bytes.
   *
   * @param requested the media type of the request's keys, or null if it has none
   * @return valid until the next call
   */
  BinaryKey key(Request.Range range, CacheHandle cache, @Nullable String requested) {
    Conversion conversion = cache.keys.toStored(requested);
    if (conversion != null) {
      return BinaryKey.of(conversion.convert(copy(range)));
    }
    if (range.length > KEPT_SIZE) {
      return BinaryKey.of(copy(range));
    }
    bytes.set(request.in, range.index, range.length).copyTo(scratch, 0);
    return key.set(scratch, 0, range.length);
  }

  private byte[] copy(Request.Range range) {
    return bytes.set(request.in, range.index, range.length).toByteArray();
  }
}
