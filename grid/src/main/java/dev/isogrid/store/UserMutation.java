package dev.isogrid.store;

import org.jspecify.annotations.Nullable;

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

  /**
   * The object whose threads all run the same code; null if each thread runs its own. While one of
   * them runs the code for a key, others of this node wait. They get its failure, or that it found
   * nothing, and don't run the code again.
   */
  default @Nullable Object sharer() {
    return null;
  }

  /** Whether the code ran last and found nothing, for threads that share it. */
  default boolean hasFoundNothing() {
    return false;
  }

  /** The key as its user knows it, for messages. */
  Object userKey();

  @Override
  default void apply(EntryView<K, V> current, Effect<V> effect) {
    if (look(current)) {
      decide(effect);
    }
  }
}
