package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;

/**
 * Works out changes of entries from what is there, by arguments that are bytes: so the primary of a
 * segment can do it for any node, and each change is one operation, however many nodes change an
 * entry at the same time. The same on all nodes. Stateless and thread-safe.
 */
@FunctionalInterface
public interface EntryFunction {
  /**
   * Decides. Must be short: it may run on the thread that drives the node.
   *
   * @param current the entry, or its absence
   * @param effect gets the new state of the entry; times are given, not the cache's defaults
   * @param argument what is to be done; not to be changed
   * @return the answer for the caller
   * @throws GridException if that is not possible; whoever wants it gets that as an {@link
   *     dev.isogrid.api.InvalidRequestException}
   */
  byte[] apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect, byte[] argument);
}
