package dev.isogrid.client;

/** The metadata of an entry on the server. */
public interface VersionedMetadata {
  /** Changes with each write of the entry; for the operations that end in {@code WithVersion}. */
  long version();

  /** When the entry was written, in milliseconds since 1970; -1 if it has no lifespan. */
  long createdMillis();

  /** How long it lives after that, in milliseconds as in {@link MetadataValue}; -1 for ever. */
  long lifespanMillis();

  /** How long it lives after that, in seconds; -1 for ever. */
  int lifespanSeconds();

  /** When the entry was used last, in milliseconds since 1970; -1 if it has no max idle. */
  long lastUsedMillis();

  /** How long it lives unused, in milliseconds as in {@link MetadataValue}; -1 for ever. */
  long maxIdleMillis();

  /** How long it lives unused, in seconds; -1 for ever. */
  int maxIdleSeconds();
}
