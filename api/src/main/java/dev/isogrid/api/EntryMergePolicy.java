package dev.isogrid.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the conflict over an entry that both sides of a split changed, in a cache that continues
 * without the majority ({@link WhenSplit#ALLOW_READ_WRITES}). Its class is public, on all nodes,
 * and has a public constructor without parameters; {@link MergePolicy#of} names it. Thread-safe.
 *
 * <p>It is called on one of the nodes that kept the side's write, and again if others write the
 * entry meanwhile; so it must have no side effects. If it throws, the preferred entry stays, and
 * the node logs that.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface EntryMergePolicy<K, V> {
  /**
   * Returns the entry that stays.
   *
   * @param preferred the entry of the majority, or of the side that was back first; null if it has
   *     none
   * @param others the entries of the other side: one, or none if it removed the entry
   * @return one of them, or another entry, of which value, lifespan and max idle count, the
   *     lifespan from when it was created, or from now if that is -1; null to remove the entry.
   *     Another entry gets the media type and the flags of memcached clients from the one with its
   *     value, else from the preferred one
   */
  @Nullable CacheEntry<K, V> merge(
      @Nullable CacheEntry<K, V> preferred, List<CacheEntry<K, V>> others);
}
