package dev.isogrid.api;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Code that reads and changes one entry where the entry is; see {@link Cache#invoke}. In a cluster
 * it is sent as a Java object: its class must be on all nodes, and what a lambda captures must be
 * {@link Serializable}. It may be called several times for one change, of which one counts, so it
 * must do nothing but read and change its entry.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 * @param <R> the type of the result, which must be serialisable in a cluster
 */
@FunctionalInterface
public interface EntryProcessor<K, V, R extends @Nullable Object> extends Serializable {
  /**
   * Reads and changes an entry. Must be short.
   *
   * @param entry valid during the call
   * @return the result; if this throws, the entry stays as it is
   */
  R process(ProcessedEntry<K, V> entry);
}
