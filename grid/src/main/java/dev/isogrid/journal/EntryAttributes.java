package dev.isogrid.journal;

import org.jspecify.annotations.Nullable;

/**
 * What an entry has beside key, value and version.
 *
 * @param createdMillis when it was written, milliseconds since 1970; -1 if it does not expire
 * @param lifespanMillis its lifespan, or -1 for none
 * @param maxIdleMillis its max idle, or -1 for none
 * @param clientFlags the bits of a memcached client
 * @param mediaType the media type of its value, or null if none was given
 */
public record EntryAttributes(
    long createdMillis,
    long lifespanMillis,
    long maxIdleMillis,
    int clientFlags,
    @Nullable String mediaType) {
  /** Those of an entry that has nothing of the kind. */
  public static final EntryAttributes NONE = new EntryAttributes(-1, -1, -1, 0, null);

  /** Returns whether the entry may expire. */
  public boolean isMortal() {
    return lifespanMillis >= 0 || maxIdleMillis >= 0;
  }
}
