package dev.isogrid.store;

/**
 * Takes what it needs from an entry.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
@FunctionalInterface
public interface EntryReader<K, V> {
  /**
   * Takes an entry. Must be short, must not write to the cache, and must not keep the window. Where
   * a read was disturbed by a write it is called again: what the last call took counts.
   */
  void read(EntryView<K, V> entry);
}
