package dev.isogrid.api;

import java.io.Serializable;
import java.nio.ByteBuffer;

/**
 * A {@link Mapper} that reads keys and values as the cache keeps them, without a copy and without
 * making objects of them. For caches that keep bytes.
 *
 * @param <A> the keys that it emits
 * @param <B> the values that it emits
 */
@FunctionalInterface
public interface BytesMapper<A, B> extends Serializable {
  /**
   * Maps one entry, or a part of a large one that was cut at a {@link #splitPoint}.
   *
   * <p>Fastest are loops that only read, and that count up to a limit: where the end of a word is
   * looked for in such a loop, and the word is emitted after it, counting words takes a fifth less
   * time than with one loop for both.
   *
   * @param key the key's bytes in the cache's encoding; valid during the call only
   * @param value the bytes to be mapped, from its position to its limit: all of them, or those of a
   *     part at the places where they are in the value, which is from 0 to the capacity; valid
   *     during the call only, not to be changed
   * @throws Exception which fails the task
   */
  void map(ByteBuffer key, ByteBuffer value, Collector<A, B> out) throws Exception;

  /**
   * Returns the next position at which a large value may be cut, so that several threads share it.
   * Each part is handed to one call of {@link #map} with the same key, in any order. Several
   * threads do that at a time, each with a collector of its own. The bytes are not copied for that.
   * Combiner and reducer see no difference. By default a mapper gets all values whole.
   *
   * <p>Called for values of a mebibyte or more, on nodes with several processors.
   *
   * @param value all of the value's bytes, from 0 to the limit; valid during the call only, not to
   *     be changed
   * @param from 1 to the limit - 1
   * @return the first position at or after {@code from} where another part may begin; the limit, as
   *     by default, if there is none
   */
  default int splitPoint(ByteBuffer value, int from) {
    return value.limit();
  }

  /** A mapper that cuts large values: for those that are lambdas. */
  static <A, B> BytesMapper<A, B> splitting(BytesMapper<A, B> mapper, BytesSplitter splitter) {
    return new SplittingBytesMapper<>(mapper, splitter);
  }
}
