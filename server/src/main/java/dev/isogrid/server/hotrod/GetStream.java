package dev.isogrid.server.hotrod;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.PinnedBytes;

/**
 * A value that a client reads chunk by chunk: as it was when that began. For one thread at a time.
 */
final class GetStream extends ValueStream {
  private final PinnedBytes value;
  private final int chunkSize;
  private int position;

  /**
   * Begins at the first byte.
   *
   * @param value closed with this
   * @param chunkSize the most bytes of a chunk, 1 or more
   */
  GetStream(CacheEngine<BinaryKey, Bytes> engine, PinnedBytes value, int chunkSize) {
    super(engine);
    this.value = value;
    this.chunkSize = chunkSize;
  }

  /** Whether the next chunk is the last one. */
  boolean isNextTheLast() {
    return value.length() - position <= chunkSize;
  }

  /** Whether all bytes were written. */
  boolean isAtEnd() {
    return position == value.length();
  }

  /** Appends the next chunk to a reply. */
  void writeNext(Reply reply) {
    int length = Math.min(chunkSize, value.length() - position);
    reply.part(value, position, length);
    position += length;
  }

  @Override
  void close() {
    value.close();
  }
}
