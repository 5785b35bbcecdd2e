package dev.isogrid.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The receivers of events on one connection, by their ids. For its event loop. */
final class EventSinks {
  private static final int PLAIN = 0;

  private final Map<KeyBytes, EventSink> sinks = new HashMap<>();

  /** The receiver of the events of one listener. Called by the event loop: must not wait. */
  interface EventSink {
    /** An entry changed. */
    void event(RawEvent event);

    /** The connection is gone, or about to be, and with it the listener. */
    void lost(Connection connection);
  }

  void add(KeyBytes id, EventSink sink) {
    sinks.put(id, sink);
  }

  boolean isEmpty() {
    return sinks.isEmpty();
  }

  void remove(KeyBytes id) {
    sinks.remove(id);
  }

  /**
   * Reads an event after its header, and passes it on. The event of a listener that was removed
   * here, but not yet at the server, is dropped.
   *
   * <pre>
   * bytes listener id | u8 kind: 0 plain, 1 converted, 2 converted and raw | u8 retried |
   *   plain: bytes key | if there is an entry: i64 version
   *   converted: bytes
   * </pre>
   */
  void read(ResponseReader in, int opcode, boolean isState) {
    KeyBytes id = new KeyBytes(in.bytes());
    int conversion = in.u8();
    boolean isRetried = in.u8() != 0;
    RawEvent.Kind kind = RawEvent.Kind.of(opcode);
    byte[] content = in.bytes();
    boolean hasVersion = conversion == PLAIN && kind.hasEntry();
    long version = hasVersion ? in.i64() : -1;
    EventSink sink = sinks.get(id);
    if (sink != null) {
      sink.event(new RawEvent(kind, conversion, content, version, isRetried, isState));
    }
  }

  /** Notifies all receivers that the connection is gone. */
  void lost(Connection connection) {
    List<EventSink> all = new ArrayList<>(sinks.values());
    sinks.clear();
    all.forEach(sink -> sink.lost(connection));
  }

  /** The one of an id, or null. */
  @Nullable EventSink find(KeyBytes id) {
    return sinks.get(id);
  }
}
