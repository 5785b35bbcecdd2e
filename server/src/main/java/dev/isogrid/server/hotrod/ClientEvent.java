package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way to a client. Immutable.
 *
 * @param operation the code of the event
 * @param segment the key's segment
 * @param key the stored key
 * @param value the new stored value, or the result of a converter; null if there is none or the
 *     listener does not use it
 * @param previous the previous stored value; null if there was none or the listener does not use it
 * @param version the version of the change
 */
record ClientEvent(
    int operation,
    int segment,
    ByteString key,
    @Nullable EventValue value,
    @Nullable EventValue previous,
    long version) {
  /** The approximate bytes of an event beside key and value. */
  private static final int FIXED_BYTES = 96;

  /** The code of the events of a kind; 0 if clients do not receive them. */
  static int operation(CacheEvent.Kind kind) {
    return switch (kind) {
      case CREATED -> Opcodes.EVENT_CREATED;
      case MODIFIED -> Opcodes.EVENT_MODIFIED;
      case REMOVED -> Opcodes.EVENT_REMOVED;
      case EXPIRED -> Opcodes.EVENT_EXPIRED;
      case EVICTED -> 0;
    };
  }

  /** The kind of an event. */
  CacheEvent.Kind kind() {
    return switch (operation) {
      case Opcodes.EVENT_CREATED -> CacheEvent.Kind.CREATED;
      case Opcodes.EVENT_MODIFIED -> CacheEvent.Kind.MODIFIED;
      case Opcodes.EVENT_REMOVED -> CacheEvent.Kind.REMOVED;
      default -> CacheEvent.Kind.EXPIRED;
    };
  }

  /** Whether there is an entry after the change. */
  boolean hasEntry() {
    return operation == Opcodes.EVENT_CREATED || operation == Opcodes.EVENT_MODIFIED;
  }

  /** Counts this as waiting for a connection; returns false if there is no memory for it. */
  boolean tryHold(ByteBudget.Share share) {
    int own = FIXED_BYTES + key.length();
    if (!share.tryTake(own)) {
      return false;
    }
    if (value != null && !value.tryHold(share)) {
      share.give(own);
      return false;
    }
    if (previous != null && !previous.tryHold(share)) {
      share.give(own);
      if (value != null) {
        value.letGo(share);
      }
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
    if (previous != null) {
      previous.letGo(share);
    }
  }

  /** The approximate bytes that it takes. */
  int sizeBytes() {
    return FIXED_BYTES + key.length() + sizeOf(value) + sizeOf(previous);
  }

  private static int sizeOf(@Nullable EventValue value) {
    return value == null ? 0 : value.length();
  }

  /**
   * This event in place of both it and an earlier, unsent one of the same key: a new entry that was
   * never reported is still new to the client.
   */
  ClientEvent after(ClientEvent earlier) {
    boolean isStillNew =
        earlier.operation == Opcodes.EVENT_CREATED && operation == Opcodes.EVENT_MODIFIED;
    int kept = isStillNew ? Opcodes.EVENT_CREATED : operation;
    return new ClientEvent(kept, segment, key, value, earlier.previous, version);
  }

  /** The same with the result of a converter. */
  ClientEvent with(byte[] content) {
    EventValue made = new EventValue(Bytes.of(ByteString.of(content)));
    return new ClientEvent(operation, segment, key, made, null, version);
  }

  /** The same without the values that events of a content do not show. */
  ClientEvent reducedTo(EventContent content) {
    return new ClientEvent(
        operation,
        segment,
        key,
        content.hasValue() ? value : null,
        content.hasPrevious() ? previous : null,
        version);
  }
}
