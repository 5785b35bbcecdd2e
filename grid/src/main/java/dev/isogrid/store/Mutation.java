package dev.isogrid.store;

/**
 * A single-key write, as a decision: from the current entry to its effect. Every write of every
 * protocol is one of these. The answer for the caller stays in the mutation object, which belongs
 * to the caller and may be reused for its next write.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
@FunctionalInterface
public interface Mutation<K, V> {
  /**
   * Decides. Called exactly once, under the write lock of the key's segment; must be short. In a
   * clustered cache perhaps without the lock, and again if another write came between. Code of
   * users that may take long is a {@link UserMutation}.
   *
   * @param current the live entry of the key, or its absence; valid during the call
   * @param effect {@link Effect.Kind#LEAVE} at first; to be filled
   */
  void apply(EntryView<K, V> current, Effect<V> effect);

  /** Whether this wants the entry to go away; only for counting removals that found nothing. */
  default boolean isRemoval() {
    return false;
  }
}
