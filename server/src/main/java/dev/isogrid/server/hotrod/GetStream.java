package dev.isogrid.server.hotrod;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.PinnedBytes;

/**
 * A value that a client reads chunk by chunk, unchanged since the beginning. It is released when
 * all of it was written. The stream stays until the client ends it, since some clients read beyond
 * the end. For one thread at a time.
 */
final class GetStream extends ValueStream {
  /**
   * The part of a value that counts as progress, 1/64: in 5 minutes 16 MiB of 1 GiB, so slow
   * clients can read large values.
   */
  private static final int STEP_SHIFT = 6;

  private final PinnedBytes value;
  private final int chunkSize;
  private int position;
  private boolean isClosed;

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

  /** Appends the next chunk to a reply: an empty one if all bytes were written. */
  void writeNext(Reply reply) {
    if (isClosed) {
      WireWriter.vInt(reply.body(), 0);
      return;
    }
    int length = Math.min(chunkSize, value.length() - position);
    reply.part(value, position, length);
    position += length;
    if (isAtEnd()) {
      close();
    }
  }

  @Override
  long positionBytes() {
    return position;
  }

  @Override
  long stepBytes() {
    return value.length() >> STEP_SHIFT;
  }

  @Override
  void close() {
    isClosed = true;
    value.close();
  }
}
