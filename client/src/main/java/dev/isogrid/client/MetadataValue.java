package dev.isogrid.client;

import java.util.concurrent.TimeUnit;

/**
 * A value with the version and times of its entry. From Isogrid's servers times are exact to the
 * millisecond. From other servers, and in iterations and streams, they are whole seconds.
 *
 * @param value the value
 * @param version changes with each write of the entry; for replaceWithVersion and removeWithVersion
 * @param createdMillis when the entry was written, since 1970; -1 if it has no lifespan
 * @param lifespanMillis how long it lives after that; -1 for ever
 * @param lastUsedMillis when it was used last, since 1970; -1 if it has no max idle
 * @param maxIdleMillis how long it lives unused; -1 for ever
 */
public record MetadataValue<V>(
    V value,
    long version,
    long createdMillis,
    long lifespanMillis,
    long lastUsedMillis,
    long maxIdleMillis)
    implements VersionedMetadata {
  /** The same of a value. */
  <T> MetadataValue<T> of(T other) {
    return new MetadataValue<>(
        other, version, createdMillis, lifespanMillis, lastUsedMillis, maxIdleMillis);
  }

  /** {@link #lifespanMillis} in whole seconds; -1 for ever. */
  @Override
  public int lifespanSeconds() {
    return seconds(lifespanMillis);
  }

  /** {@link #maxIdleMillis} in whole seconds; -1 for ever. */
  @Override
  public int maxIdleSeconds() {
    return seconds(maxIdleMillis);
  }

  private static int seconds(long millis) {
    return millis < 0
        ? -1
        : (int) Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.toSeconds(millis));
  }
}
