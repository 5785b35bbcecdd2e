package dev.isogrid.server.hotrod;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/** A value on its way from or to a client, chunk by chunk. */
abstract sealed class ValueStream permits GetStream, PutStream {
  final CacheEngine<BinaryKey, Bytes> engine;

  /** When the client last used it. For the connection's event loop. */
  long lastUsedNanos;

  ValueStream(CacheEngine<BinaryKey, Bytes> engine) {
    this.engine = engine;
  }

  /** Frees what it holds; harmless if that was done. */
  abstract void close();
}
