package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.wire.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way to a client. Immutable.
 *
 * @param operation what happened, one of the codes of events
 * @param segment the key's segment
 * @param key the key as the cache keeps it
 * @param value the new value as the cache keeps it; null if there is none or nobody wants it
 * @param version the version of the change
 */
record ClientEvent(
    int operation, int segment, ByteString key, @Nullable ByteString value, long version) {
  /** About what an event takes beside key and value. */
  private static final int FIXED_BYTES = 96;

  /** Whether there is an entry after the change. */
  boolean hasEntry() {
    return operation == Opcodes.EVENT_CREATED || operation == Opcodes.EVENT_MODIFIED;
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
