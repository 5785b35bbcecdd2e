package dev.isogrid.engine;

import dev.isogrid.api.MergePolicy;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.DetachedEntry;
import org.jspecify.annotations.Nullable;

/** Decides what an entry is to be that both sides of a split changed. Thread-safe. */
@FunctionalInterface
public interface EntryMerge {
  /**
   * Decides. May run the code of users.
   *
   * @param cache the name of its cache
   * @param clusters the majority's entry, or that of the side that was back first; null for none
   * @param sides the other one, or null for none; one of the two is not null
   * @return what is to be, or null for no entry
   */
  @Nullable DetachedEntry merge(
      String cache, BinaryKey key, @Nullable DetachedEntry clusters, @Nullable DetachedEntry sides);

  /**
   * The merge of a policy that is no class of a user.
   *
   * @return null for a class
   */
  static @Nullable EntryMerge of(MergePolicy policy) {
    if (policy.equals(MergePolicy.NONE) || policy.equals(MergePolicy.PREFERRED_ALWAYS)) {
      return (_, _, clusters, _) -> clusters;
    }
    if (policy.equals(MergePolicy.PREFERRED_NON_NULL)) {
      return (_, _, clusters, sides) -> clusters == null ? sides : clusters;
    }
    return policy.equals(MergePolicy.REMOVE_ALL) ? (_, _, _, _) -> null : null;
  }
}
