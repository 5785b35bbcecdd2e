package dev.isogrid.server.hotrod;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/** A value on its way from or to a client, chunk by chunk. */
abstract sealed class ValueStream permits GetStream, PutStream {
  final CacheEngine<BinaryKey, Bytes> engine;

  /** When the client last brought it forward. For the connection's event loop. */
  private long progressNanos;

  /** How far it was then, in bytes. */
  private long progressBytes;

  ValueStream(CacheEngine<BinaryKey, Bytes> engine) {
    this.engine = engine;
  }

  /** Begins to look at the progress. */
  final void begin(long nowNanos) {
    progressNanos = nowNanos;
    progressBytes = positionBytes();
  }

  /**
   * Notes how far the stream is. Too few bytes are no progress: a client could keep much memory by
   * one byte now and then.
   */
  final void noteProgress(long nowNanos) {
    if (positionBytes() - progressBytes >= Math.max(1, stepBytes())) {
      begin(nowNanos);
    }
  }

  /** How long there has been no progress. */
  final long idleNanos(long nowNanos) {
    return nowNanos - progressNanos;
  }

  /** How many bytes have gone this way. */
  abstract long positionBytes();

  /** How many more are progress. */
  abstract long stepBytes();

  /** Frees what it holds; harmless if that was done. */
  abstract void close();
}
