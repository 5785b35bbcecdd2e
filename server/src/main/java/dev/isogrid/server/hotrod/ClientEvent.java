package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.wire.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way to a client. Immutable.
 *
 * @param operation what happened, one of the codes of events
 * @param segment the key's segment
 * @param key the key as the cache keeps it
 * @param value the new value as the cache keeps it; null if there is none or the listener does not
 *     want it
 * @param version the version of the change
 */
record ClientEvent(
    int operation, int segment, ByteString key, @Nullable EventValue value, long version) {
  /** About what an event takes beside key and value. */
  private static final int FIXED_BYTES = 96;

  /** Whether there is an entry after the change. */
  boolean hasEntry() {
    return operation == Opcodes.EVENT_CREATED || operation == Opcodes.EVENT_MODIFIED;
  }

  /** Counts this as waiting for a connection; false if there is no memory for it. */
  boolean tryHold(ByteBudget.Share share) {
    int own = FIXED_BYTES + key.length();
    if (!share.tryTake(own)) {
      return false;
    }
    if (value != null && !value.tryHold(share)) {
      share.give(own);
      return false;
    }
    return true;
  }

  /** Counts this off. */
  void letGo(ByteBudget.Share share) {
    share.give(FIXED_BYTES + key.length());
    if (value != null) {
      value.letGo(share);
    }
  }

  /** About the memory that it takes. */
  int sizeBytes() {
    return FIXED_BYTES + key.length() + (value == null ? 0 : value.length());
  }

  /**
   * This event instead of it and an earlier one of the same key that was not sent: what the client
   * has not heard of is still new to it.
   */
  ClientEvent after(ClientEvent earlier) {
    boolean isStillNew =
        earlier.operation == Opcodes.EVENT_CREATED && operation == Opcodes.EVENT_MODIFIED;
    return isStillNew ? new ClientEvent(Opcodes.EVENT_CREATED, segment, key, value, version) : this;
  }
}
