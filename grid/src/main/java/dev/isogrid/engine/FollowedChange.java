package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.codec.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entry, as nodes tell each other of it. Immutable.
 *
 * @param kind what happened
 * @param key the key
 * @param value the new value, or null if there is none
 * @param before the value before, or null if there was none
 * @param hasValues whether values were kept; if not, both are null
 * @param seq the place of the change in the segment's order; several may have the same
 */
record FollowedChange(
    CacheEvent.Kind kind,
    ByteString key,
    @Nullable ByteString value,
    @Nullable ByteString before,
    boolean hasValues,
    long seq) {
  /** The size that is counted for the parts that each has. */
  private static final int FIXED_BYTES = 96;

  /** About the memory that it takes. */
  int sizeBytes() {
    return FIXED_BYTES
        + key.length()
        + (value == null ? 0 : value.length())
        + (before == null ? 0 : before.length());
  }
}
