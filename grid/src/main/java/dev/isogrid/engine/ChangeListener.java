package dev.isogrid.engine;

/**
 * Is told of the changes of a cache inside the node.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface ChangeListener<K, V> {
  /**
   * A change was just applied. Called in version order by the writing thread, under the lock of the
   * segment: must be short, must not block, must copy what it needs.
   */
  void onChange(Change<K, V> change);

  /** The lock is free again after at least one call of {@link #onChange} for the segment. */
  void afterChange(int segment);
}
