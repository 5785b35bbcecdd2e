package dev.isogrid.store;

/**
 * The entries that a segment had at one moment. For one thread.
 *
 * @param <K> the kind of key
 * @param <V> the kind of value
 */
public interface SegmentSnapshot<K, V> {
  /**
   * Moves a window to the next entry. Entries whose time was over when the snapshot was taken are
   * included: ask the window.
   *
   * @return whether there was one
   */
  boolean next(EntryView<K, V> view);
}
