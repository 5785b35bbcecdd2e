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
   * Maps one entry.
   *
   * @param key the key's bytes in the cache's encoding; valid during the call only
   * @param value the value's bytes; valid during the call only, not to be changed
   * @throws Exception which fails the task
   */
  void map(ByteBuffer key, ByteBuffer value, Collector<A, B> out) throws Exception;
}
