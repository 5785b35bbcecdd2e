package dev.isogrid.structure;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The sequences of a grid, in a cache: an entry each, with the next number. Thread-safe. */
public final class SequenceTable {
  private final CacheEngine<BinaryKey, Bytes> engine;

  /** The sequences in a cache. */
  public SequenceTable(CacheEngine<BinaryKey, Bytes> engine) {
    this.engine = engine;
  }

  /**
   * Reserves consecutive numbers for the caller.
   *
   * @param count their number, 1 or more
   * @return the first one
   * @throws FatalGridException if too few are left
   * @throws RetryableGridException if the cluster does not answer; the numbers may be lost
   */
  public long take(String name, int count) {
    BinaryKey key = BinaryKey.of(name.getBytes(StandardCharsets.UTF_8));
    long[] first = new long[1];
    try {
      engine.write(
          key,
          key.hash(),
          (current, effect) -> {
            first[0] =
                current.isPresent() ? ByteBuffer.wrap(current.value().toByteArray()).getLong() : 1;
            if (first[0] > Long.MAX_VALUE - count) {
              throw new FatalGridException(
                  "sequence used up: name=%s, next=%d".formatted(name, first[0]));
            }
            byte[] next = ByteBuffer.allocate(Long.BYTES).putLong(first[0] + count).array();
            effect.store(Bytes.of(next), Expiry.UNLIMITED, Expiry.UNLIMITED);
          });
    } catch (IndeterminateGridException failure) {
      throw new RetryableGridException(
          "numbers not taken, or lost: name=%s, count=%d; try again".formatted(name, count),
          failure);
    }
    return first[0];
  }
}
