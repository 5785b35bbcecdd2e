package dev.isogrid.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How a {@link LoadingCache} loads. How long entries live is configured with the cache.
 *
 * @param refreshAfterWriteMillis the age from which a read has an entry refreshed, in milliseconds,
 *     or -1 for never
 * @param absentLifespanMillis how long it is remembered that a loader found nothing, in
 *     milliseconds, or -1 for not at all
 */
public record LoadingConfig(long refreshAfterWriteMillis, long absentLifespanMillis) {
  /** Loads what is missing, refreshes nothing, and remembers nothing about missing values. */
  public static final LoadingConfig DEFAULT = new LoadingConfig(-1, -1);

  /** Checks the values. */
  public LoadingConfig {
    check("refreshAfterWriteMillis", refreshAfterWriteMillis);
    check("absentLifespanMillis", absentLifespanMillis);
  }

  private static void check(String name, long millis) {
    if (millis != -1 && millis < 1) {
      throw new InvalidConfigurationException(
          "time of a loading cache not valid: %s=%d; give at least 1 ms, or -1 for none"
              .formatted(name, millis));
    }
  }

  /** Whole milliseconds; as many as a long has if there are more. */
  private static long millis(String name, Duration time) {
    return TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(time, name));
  }

  /**
   * The same with a refresh: the first read of an entry this long after its last write has it
   * loaded anew in the background, and gives the old value. Entries that the loader makes keep
   * their age; those that are stored otherwise only do so if they have a lifespan or a max idle.
   */
  public LoadingConfig refreshAfterWrite(Duration age) {
    return new LoadingConfig(millis("age", age), absentLifespanMillis);
  }

  /**
   * The same with a memory for what is not there: for this long after a loader gave null, this node
   * answers null for the key without asking again, unless the cache has an entry meanwhile.
   */
  public LoadingConfig absentLifespan(Duration lifespan) {
    return new LoadingConfig(refreshAfterWriteMillis, millis("lifespan", lifespan));
  }
}
