package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.Change;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import org.jspecify.annotations.Nullable;

/** The copy of a change that all clients' listeners share. For the thread that delivers it. */
final class EventCopy {
  private final ByteString key;
  private @Nullable EventValue value;
  private @Nullable EventValue previous;

  private EventCopy(ByteString key) {
    this.key = key;
  }

  /** The shared copy of a change. */
  static EventCopy of(Change<BinaryKey, Bytes> change) {
    return change.shared(
        EventCopy.class, first -> new EventCopy(ByteString.of(first.key().toByteArray())));
  }

  /** The key. */
  ByteString key() {
    return key;
  }

  /** The new value; null if there is none. */
  @Nullable EventValue value(Change<BinaryKey, Bytes> change) {
    Bytes source = change.value();
    if (value == null && source != null) {
      value = new EventValue(source);
    }
    return value;
  }

  /** The previous value; null if there was none. */
  @Nullable EventValue previous(Change<BinaryKey, Bytes> change) {
    if (previous == null && change.before().isPresent()) {
      previous = new EventValue(change.before().value());
    }
    return previous;
  }
}
