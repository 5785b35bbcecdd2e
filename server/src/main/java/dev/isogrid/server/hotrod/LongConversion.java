package dev.isogrid.server.hotrod;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;

/**
 * Tells which values must be converted aside: an event loop serves nobody else meanwhile. Reusable;
 * for one connection.
 */
final class LongConversion implements EntryReader<BinaryKey, Bytes> {
  /** The longest value that an event loop converts, in bytes: some milliseconds. */
  static final int LOOP_BYTES_MAX = 1 << 16;

  /** The length of the last entry's value. */
  private int length;

  /** Returns whether the conversion of a value of the request takes too long. */
  static boolean isOf(Request request, CacheHandle cache) {
    return request.value.length > LOOP_BYTES_MAX
        && cache.values.toStored(request.valueMediaType()) != null;
  }

  /**
   * Returns whether a conversion of the entry's value takes too long. Counts nothing; looks the
   * entry up, so it is for values that are converted.
   */
  boolean isOf(BinaryKey key, CacheHandle cache) {
    length = 0;
    cache.engine.tryPeek(key, key.hash(), cache.view, this);
    return length > LOOP_BYTES_MAX;
  }

  @Override
  public void read(EntryView<BinaryKey, Bytes> entry) {
    length = entry.value().length();
  }
}
