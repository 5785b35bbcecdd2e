package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import org.jspecify.annotations.Nullable;

/**
 * Works out changes of entries from the values that are there, by arguments that are bytes: so the
 * primary of a segment can do it for any node, and each change is one operation, however many nodes
 * change an entry at the same time. The same on all nodes. Stateless and thread-safe.
 */
@FunctionalInterface
public interface EntryFunction {
  /**
   * Decides. Must be short: it may run on the thread that drives the node.
   *
   * @param current the value of the entry, or null if there is none; not to be changed
   * @param argument what is to be done; not to be changed
   * @throws GridException if that is not possible; whoever wants it gets that as an {@link
   *     dev.isogrid.api.InvalidRequestException}
   */
  Result apply(byte @Nullable [] current, byte[] argument);

  /**
   * What a function makes of an entry.
   *
   * @param changes whether the entry changes
   * @param value the new value, or null to remove the entry; of no meaning if nothing changes
   * @param answer for the caller
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Result(boolean changes, byte @Nullable [] value, byte[] answer) {}
}
