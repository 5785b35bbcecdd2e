package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The queued events of a listener, the oldest first. Bounded. Not thread-safe. */
final class EventBacklog {
  private final EventLimits limits;
  private final ByteBudget.Share share;

  /** All queued events, if each is sent. */
  private final ArrayDeque<ClientEvent> events = new ArrayDeque<>();

  /**
   * All queued events by key, if events of a key are merged: in the order of the last event of
   * each.
   */
  private final LinkedHashMap<ByteString, ClientEvent> latest = new LinkedHashMap<>();

  private long bytes;

  /**
   * Begins without events.
   *
   * @param share the share of the connection, on which events count while they wait
   */
  EventBacklog(EventLimits limits, ByteBudget.Share share) {
    this.limits = limits;
    this.share = share;
  }

  /**
   * Adds an event.
   *
   * @return false if it was not added, because there is no room here or on the server
   */
  boolean tryAdd(ClientEvent event) {
    ClientEvent added = event;
    if (limits.coalesces()) {
      ClientEvent earlier = latest.remove(event.key());
      if (earlier != null) {
        remove(earlier);
        added = event.after(earlier);
      }
    }
    if (isFull() || !added.tryHold(share)) {
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

  /** Removes and returns the oldest event, or null if there is none. */
  @Nullable ClientEvent poll() {
    ClientEvent event = events.poll();
    if (event == null && !latest.isEmpty()) {
      Iterator<ClientEvent> all = latest.values().iterator();
      event = all.next();
      all.remove();
    }
    if (event != null) {
      remove(event);
    }
    return event;
  }

  private void remove(ClientEvent event) {
    bytes -= event.sizeBytes();
    event.letGo(share);
  }

  /** The number of queued events. */
  int count() {
    return events.size() + latest.size();
  }

  /** Whether no event can be added. */
  boolean isFull() {
    return count() >= limits.eventsMax() || bytes >= limits.bytesMax();
  }

  /** The approximate bytes of the queued events. */
  long bytes() {
    return bytes;
  }

  /** Drops all queued events. */
  void clear() {
    events.forEach(event -> event.letGo(share));
    latest.values().forEach(event -> event.letGo(share));
    events.clear();
    latest.clear();
    bytes = 0;
  }
}
