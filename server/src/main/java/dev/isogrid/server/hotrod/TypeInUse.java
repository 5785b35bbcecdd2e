package dev.isogrid.server.hotrod;

import dev.isogrid.codec.Conversion;
import dev.isogrid.codec.Transcoder;
import org.jspecify.annotations.Nullable;

/**
 * The media type of a cache's keys or values, beside the one that requests ask for: whether and how
 * to convert is decided once for each pair. For one thread.
 */
final class TypeInUse {
  private final Transcoder transcoder;

  /** What the cache keeps, or null for bytes that nothing is known of. */
  private final @Nullable String stored;

  // What was decided last, each for the type that a request asked for.
  private @Nullable String inwardType;
  private @Nullable Conversion inward;
  private @Nullable String outwardType;
  private @Nullable Conversion outward;

  TypeInUse(Transcoder transcoder, @Nullable String stored) {
    this.transcoder = transcoder;
    this.stored = stored;
  }

  /**
   * How what a request sends becomes what the cache keeps.
   *
   * @param requested the media type of the request, or null if it does not say
   * @return null if the bytes stay as they are
   * @throws dev.isogrid.api.InvalidRequestException if there is no way
   */
  @SuppressWarnings("ReferenceEquality") // the names of known types are constants
  @Nullable Conversion toStored(@Nullable String requested) {
    if (requested == null || stored == null || requested == stored) {
      return null;
    }
    if (!requested.equals(inwardType)) {
      inward = transcoder.find(requested, stored);
      inwardType = requested;
    }
    return inward;
  }

  /** How what the cache keeps becomes what a request wants; otherwise as {@link #toStored}. */
  @SuppressWarnings("ReferenceEquality") // as above
  @Nullable Conversion toRequested(@Nullable String requested) {
    if (requested == null || stored == null || requested == stored) {
      return null;
    }
    if (!requested.equals(outwardType)) {
      outward = transcoder.find(stored, requested);
      outwardType = requested;
    }
    return outward;
  }
}
