package dev.isogrid.server.hotrod;

/**
 * How far a client may be behind with the events of one of its listeners.
 *
 * @param eventsMax events that wait at most, 1 or more
 * @param bytesMax bytes of their keys and values that wait at most, 1 or more; the last event may
 *     go beyond it
 * @param coalesces whether events of a key that wait become one; else each is sent
 */
public record EventLimits(int eventsMax, long bytesMax, boolean coalesces) {
  /** Some seconds of a busy cache's events; 8 MiB for each of a server's listeners at worst. */
  public static final EventLimits DEFAULT = new EventLimits(65_536, 8L << 20, false);

  /** System properties that change the usual limits; the JVM of a server is given them. */
  private static final String EVENTS_PROPERTY = "dev.isogrid.events.max";

  private static final String BYTES_PROPERTY = "dev.isogrid.events.bytes";
  private static final String COALESCES_PROPERTY = "dev.isogrid.events.coalesce";

  /**
   * The usual limits, as far as the system properties say nothing else.
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
