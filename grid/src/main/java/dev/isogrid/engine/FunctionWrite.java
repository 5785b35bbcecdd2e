package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * A write that an {@link EntryFunction} decides upon, wherever the entry is: in a cluster it is one
 * operation, which its segment's primary carries out. Not thread-safe.
 */
public interface FunctionWrite extends Mutation<BinaryKey, Bytes> {
  /** The function, one of those that all nodes have. */
  EntryFunction function();

  /** The argument of the function. */
  byte[] argument();

  /** Takes what the function answered on the node that carried the write out. */
  void answer(byte[] given);

  /**
   * Whether other nodes can carry this out; else it is decided here, and stored if it still fits.
   */
  default boolean isSendable() {
    return true;
  }

  /** Says which operation of a client this is, which the client may repeat; null for none. */
  default ClientOperation.@Nullable Source client() {
    return null;
  }
}
