package dev.isogrid.server.hotrod;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/** A value in transfer from or to a client, chunk by chunk. */
abstract sealed class ValueStream permits GetStream, PutStream {
  final CacheEngine<BinaryKey, Bytes> engine;

  /** The time of the client's last progress. For the connection's event loop. */
  private long progressNanos;

  /** The position at that time, in bytes. */
  private long progressBytes;

  ValueStream(CacheEngine<BinaryKey, Bytes> engine) {
    this.engine = engine;
  }

  /** Begins to watch the progress. */
  final void begin(long nowNanos) {
    progressNanos = nowNanos;
    progressBytes = positionBytes();
  }

  /**
   * Notes the position of the stream. Few bytes are no progress: otherwise a client could hold much
   * memory by one byte now and then.
   */
  final void noteProgress(long nowNanos) {
    if (positionBytes() - progressBytes >= Math.max(1, stepBytes())) {
      begin(nowNanos);
    }
  }

  /** The time without progress. */
  final long idleNanos(long nowNanos) {
    return nowNanos - progressNanos;
  }

  /** The number of transferred bytes. */
  abstract long positionBytes();

  /** The number of further bytes that count as progress. */
  abstract long stepBytes();

  /** Frees its resources; calling this twice is harmless. */
  abstract void close();
}
