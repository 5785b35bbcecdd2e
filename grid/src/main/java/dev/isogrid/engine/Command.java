package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a client wants done with one key. Immutable; decides the same on every node, since it goes
 * by its arguments alone.
 */
public interface Command {
  /** The key, with {@code equals} and {@code hashCode}. */
  Object key();

  /** Whether it never changes anything. */
  boolean isRead();

  /** Returns about the bytes that it takes in a message. */
  default int sizeBytes() {
    return Sized.SMALL_BYTES;
  }

  /** Returns whether its answer waits for the code of a user, which may take any time. */
  default boolean waitsForUsers() {
    return false;
  }

  /**
   * Returns whether the decision depends on the bytes of the value, or gives them back. If not, the
   * value that decides may lack them.
   */
  default boolean needsValue() {
    return true;
  }

  /**
   * What decides in place of this, once it is known what there is: for writes whose effect follows
   * from the entry. Parameters as those of {@link #decide}.
   */
  default Command onto(@Nullable Object value, long seq) {
    return this;
  }

  /**
   * Decides.
   *
   * @param value the current value, or null if there is none
   * @param seq the place in the order of the write that made the value, if that is not committed
   *     yet; else 0
   * @param nextSeq the place that this command's write would get
   */
  Decision decide(@Nullable Object value, long seq, long nextSeq);

  /** Answers from what is committed; only for a read. */
  default @Nullable Object read(CommittedEntries entries) {
    return decide(entries.value(key()), 0, 0).result();
  }

  /**
   * What a command makes of an entry.
   *
   * @param changes whether the entry changes
   * @param value the new value, or null to remove; of no meaning if nothing changes
   * @param result the answer
   */
  record Decision(boolean changes, @Nullable Object value, @Nullable Object result) {}
}
