package dev.isogrid.store;

/**
 * A write that the code of a user decides on, in two steps: a look at the entry, which may happen
 * under the lock of the key's segment, and then the code, which may take any time and runs without
 * a lock. Both are repeated if another write changed the entry in between.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface UserMutation<K, V> extends Mutation<K, V> {
  /**
   * Takes what the code needs from an entry. Must be short.
   *
   * @param current the live entry of the key, or its absence; valid during the call
   * @return whether the code must run; if not, the write is over and changes nothing
   */
  boolean look(EntryView<K, V> current);

  /**
   * Runs the code on what was seen last.
   *
   * @param effect {@link Effect.Kind#LEAVE} at first; to be filled
   */
  void decide(Effect<V> effect);

  /** The key as its user knows it, for messages. */
  Object userKey();

  @Override
  default void apply(EntryView<K, V> current, Effect<V> effect) {
    if (look(current)) {
      decide(effect);
    }
  }
}
