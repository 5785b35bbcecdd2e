package dev.isogrid.engine;

/**
 * Hears of the changes of a cache inside the node.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface ChangeListener<K, V> {
  /**
   * A change was just applied. Called in version order by the writing thread, under the lock of the
   * segment: must be short, must not block, must copy what it needs. If it throws an exception,
   * {@link #onGap} is called.
   */
  void onChange(Change<K, V> change);

  /**
   * Changes of a segment happened that this was not told of and will not be: too much happened
   * while they could not be brought here, or this failed. Those that follow are told. Called as
   * {@link #onChange}.
   */
  default void onGap(int segment) {}

  /**
   * The cache was closed: it was removed, or its node ends. Nothing follows. Called by the thread
   * that closes it, once or more: must be short, must not block.
   */
  default void onClosed() {}

  /**
   * Whether this looks at values; if not, {@link Change#value} and what {@link Change#before} shows
   * may be missing. Always the same.
   */
  default boolean wantsValues() {
    return true;
  }

  /** The lock is free again after at least one call of {@link #onChange} for the segment. */
  void afterChange(int segment);
}
