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

  /**
   * Decides.
   *
   * @param value the current value, or null if there is none
   */
  Decision decide(@Nullable Object value);

  /**
   * What a command makes of an entry.
   *
   * @param changes whether the entry changes
   * @param value the new value, or null to remove; of no meaning if nothing changes
   * @param result the answer
   */
  record Decision(boolean changes, @Nullable Object value, @Nullable Object result) {}
}
