package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.wire.KeyHash;
import java.util.Arrays;

/** A key of one of the cluster's caches. Immutable. */
final class EntryKey implements ScopedKey, Sized {
  private final int cacheId;
  private final byte[] bytes;
  private final int hash;

  /**
   * A key of a cache.
   *
   * @param bytes not to be changed any more
   */
  EntryKey(int cacheId, byte[] bytes) {
    this.cacheId = cacheId;
    this.bytes = bytes;
    this.hash = KeyHash.hash(bytes);
  }

  int cacheId() {
    return cacheId;
  }

  /** The key's bytes, not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  /** The hash that decides on the segment. */
  int hash() {
    return hash;
  }

  /** The key as containers are asked with it. */
  BinaryKey toBinary() {
    return BinaryKey.of(bytes);
  }

  @Override
  public int sizeBytes() {
    return SMALL_BYTES + bytes.length;
  }

  @Override
  public Object scope() {
    return new CacheScope(cacheId);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryKey key
        && cacheId == key.cacheId
        && hash == key.hash
        && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash ^ cacheId;
  }

  /** The length only: content is not for logs. */
  @Override
  public String toString() {
    return "EntryKey[cache=%d, hash=%08x, length=%d]".formatted(cacheId, hash, bytes.length);
  }
}
