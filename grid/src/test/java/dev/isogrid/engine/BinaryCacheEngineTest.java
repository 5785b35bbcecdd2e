package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.TextKind;

class BinaryCacheEngineTest extends CacheEngineContract<BinaryKey, Bytes> {
  BinaryCacheEngineTest() {
    super(TextKind.BINARY);
  }
}
