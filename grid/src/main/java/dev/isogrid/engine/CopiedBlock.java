package dev.isogrid.engine;

import dev.isogrid.store.PackedEntries;
import java.util.Arrays;
import java.util.Objects;

/**
 * Entries of one cache in one segment, on their way to a learner, as their container has them.
 * Immutable.
 */
public final class CopiedBlock implements Sized {
  /** What a block takes in a message beside its entries. */
  static final int OVERHEAD_BYTES = 12;

  private final int cacheId;
  private final byte[] array;
  private final int from;
  private final int sizeBytes;
  private final int count;

  /**
   * Entries in an array.
   *
   * @param cacheId the cache's
   * @param array not to be changed any more
   * @param from where they begin
   * @param sizeBytes the bytes of all, as {@link PackedEntries} has them
   * @param count their number
   */
  CopiedBlock(int cacheId, byte[] array, int from, int sizeBytes, int count) {
    Objects.checkFromIndexSize(from, sizeBytes, array.length);
    this.cacheId = cacheId;
    this.array = array;
    this.from = from;
    this.sizeBytes = sizeBytes;
    this.count = count;
  }

  int cacheId() {
    return cacheId;
  }

  /** All keys of the cache. */
  CacheScope scope() {
    return new CacheScope(cacheId);
  }

  byte[] array() {
    return array;
  }

  int from() {
    return from;
  }

  /** The number of entries. */
  int count() {
    return count;
  }

  /** A walk through the entries; the versions that it shows have no epoch. */
  PackedEntries entries() {
    return PackedEntries.of(array, from, sizeBytes, count, 0);
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CopiedBlock block
        && cacheId == block.cacheId
        && count == block.count
        && Arrays.equals(
            array, from, from + sizeBytes, block.array, block.from, block.from + block.sizeBytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(cacheId, count, sizeBytes);
  }

  /** Numbers only: content is not for logs. */
  @Override
  public String toString() {
    return "CopiedBlock[cache=%d, count=%d, bytes=%d]".formatted(cacheId, count, sizeBytes);
  }
}
