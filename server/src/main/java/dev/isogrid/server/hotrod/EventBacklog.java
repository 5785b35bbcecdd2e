package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The events of a listener that wait to be sent, the oldest first. Bounded. Not thread-safe. */
final class EventBacklog {
  private final EventLimits limits;

  /** All that wait, where each is sent. */
  private final ArrayDeque<ClientEvent> events = new ArrayDeque<>();

  /** By key, all that wait, where those of a key become one: in the order of the last of each. */
  private final LinkedHashMap<ByteString, ClientEvent> latest = new LinkedHashMap<>();

  private long bytes;

  EventBacklog(EventLimits limits) {
    this.limits = limits;
  }

  /**
   * Adds an event.
   *
   * @return false if it was not added since there is no room
   */
  boolean tryAdd(ClientEvent event) {
    ClientEvent added = event;
    if (limits.coalesces()) {
      ClientEvent earlier = latest.remove(event.key());
      if (earlier != null) {
        bytes -= earlier.sizeBytes();
        added = event.after(earlier);
      }
    }
    if (count() >= limits.eventsMax() || bytes >= limits.bytesMax()) {
      return false;
    }
    if (limits.coalesces()) {
      latest.put(added.key(), added);
    } else {
      events.add(added);
    }
    bytes += added.sizeBytes();
    return true;
  }

  /** Takes the oldest event out, or null if there is none. */
  @Nullable ClientEvent poll() {
    ClientEvent event = events.poll();
    if (event == null && !latest.isEmpty()) {
      Iterator<ClientEvent> all = latest.values().iterator();
      event = all.next();
      all.remove();
    }
    bytes -= event == null ? 0 : event.sizeBytes();
    return event;
  }

  /** How many wait. */
  int count() {
    return events.size() + latest.size();
  }

  /** About the memory that they take. */
  long bytes() {
    return bytes;
  }

  void clear() {
    events.clear();
    latest.clear();
    bytes = 0;
  }
}
