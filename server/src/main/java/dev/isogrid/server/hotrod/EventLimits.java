package dev.isogrid.server.hotrod;

/**
 * The limits of the events that wait for one listener of a client.
 *
 * @param eventsMax the most waiting events, 1 or more
 * @param bytesMax the most bytes of their keys and values, 1 or more; the last event may exceed it
 * @param coalesces whether waiting events of a key are merged; else each is sent
 */
public record EventLimits(int eventsMax, long bytesMax, boolean coalesces) {
  /** Some seconds of a busy cache's events; at worst 8 MiB per listener of a server. */
  public static final EventLimits DEFAULT = new EventLimits(65_536, 8L << 20, false);

  /** System properties of the server's JVM that change the default limits. */
  private static final String EVENTS_PROPERTY = "dev.isogrid.events.max";

  private static final String BYTES_PROPERTY = "dev.isogrid.events.bytes";
  private static final String COALESCES_PROPERTY = "dev.isogrid.events.coalesce";

  /**
   * The limits of the system properties, with defaults for the others.
   *
   * @throws IllegalArgumentException if a limit is below 1
   */
  public static EventLimits ofProcess() {
    return new EventLimits(
        Integer.getInteger(EVENTS_PROPERTY, DEFAULT.eventsMax),
        Long.getLong(BYTES_PROPERTY, DEFAULT.bytesMax),
        Boolean.getBoolean(COALESCES_PROPERTY));
  }

  /** Checks the numbers. */
  public EventLimits {
    if (eventsMax < 1 || bytesMax < 1) {
      throw new IllegalArgumentException(
          "limits of events too low: events=%d, bytes=%d; the least is 1"
              .formatted(eventsMax, bytesMax));
    }
  }
}
