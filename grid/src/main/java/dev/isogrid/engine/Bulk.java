package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.Mutation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many keys, by one caller, that are under way at the same time where other nodes
 * have to do them. Each is an operation of its own; those on one key are done in the order in which
 * they were asked for. Not thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface Bulk<K, V> {
  /**
   * Writes an entry, now or later. Blocks while too many operations are under way.
   *
   * @param write one that does not read what was there; borrowed during the call
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
   * Has the code of a user decide on a write, now or later; see {@link CacheEngine#process}.
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
