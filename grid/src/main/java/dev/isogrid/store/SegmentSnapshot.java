package dev.isogrid.store;

/**
 * A walk through the entries of a segment while it may change. An entry that is present throughout,
 * whatever is written to it, is seen exactly once; one that comes or goes meanwhile at most once
 * for each time that it comes. Holds no lock between the calls. For one thread.
 *
 * @param <K> the kind of key
 * @param <V> the kind of value
 */
public interface SegmentSnapshot<K, V> {
  /**
   * Moves a window to the next entry. Entries whose time is over are included: ask the window.
   *
   * @return whether there was one
   */
  boolean next(EntryView<K, V> view);

  /**
   * The number of entries to come, if this has all of them already, so that they stay as they are
   * whatever becomes of the segment; -1 if it looks for them in the segment as it goes.
   */
  default int remaining() {
    return -1;
  }
}
