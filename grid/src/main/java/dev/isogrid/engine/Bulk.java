package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.Mutation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many keys, by one caller, that are under way at the same time where other nodes
 * have to do them. Those on one key are done in the order in which they were asked for. Each is an
 * operation of its own, but for puts without a condition: those of one segment are done together,
 * when the next operation of another kind is asked for, or in the end. All of them are done or
 * none, and no read sees some of them only; up to {@link SegmentPuts#BYTES_MAX} and {@link
 * SegmentPuts#COUNT_MAX}: of more, these parts are. Not thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface Bulk<K, V> {
  /**
   * Writes an entry, now or later. Blocks while too many operations are under way.
   *
   * @param key borrowed during the call
   * @param write one that does not read what was there; borrowed as well
   */
  void write(K key, int hash, KeyWrite<K, V> write);

  /**
   * Reads an entry, now or later; counts as a hit or a miss. Blocks while too many operations are
   * under way.
   *
   * @param key kept until {@link #await}
   * @param reader called once if there is a live entry, by the caller's thread, in this call or in
   *     a later one of this object
   */
  void read(K key, int hash, EntryReader<K, V> reader);

  /**
   * Lets the code of a user decide on a write, now or later; see {@link CacheEngine#process}.
   *
   * @param taking gets what that returns, by the caller's thread, in this call or in a later one of
   *     this object
   */
  void process(
      K key,
      int hash,
      ByteString processor,
      Mutation<K, V> near,
      Consumer<@Nullable ByteString> taking);

  /**
   * Waits until all is done. After a failure nothing more is begun.
   *
   * @throws dev.isogrid.api.GridException if something was not done, or may not have been; says how
   *     much and where
   */
  void await();
}
