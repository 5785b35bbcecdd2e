package dev.isogrid.client;

/**
 * A value with the version and times of its entry.
 *
 * @param value the value
 * @param version changes with each write of the entry; for replaceWithVersion and removeWithVersion
 * @param createdMillis when the entry was written, since 1970; -1 if it has no lifespan
 * @param lifespanSeconds how long it lives after that; -1 for ever
 * @param lastUsedMillis when it was used last, since 1970; -1 if it has no max idle
 * @param maxIdleSeconds how long it lives unused; -1 for ever
 */
public record MetadataValue<V>(
    V value,
    long version,
    long createdMillis,
    int lifespanSeconds,
    long lastUsedMillis,
    int maxIdleSeconds)
    implements VersionedMetadata {
  /** The same of a value. */
  <T> MetadataValue<T> of(T other) {
    return new MetadataValue<>(
        other, version, createdMillis, lifespanSeconds, lastUsedMillis, maxIdleSeconds);
  }
}
