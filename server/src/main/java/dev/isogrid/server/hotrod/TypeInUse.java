package dev.isogrid.server.hotrod;

import dev.isogrid.codec.Conversion;
import dev.isogrid.codec.Transcoder;
import org.jspecify.annotations.Nullable;

/**
 * The media type of a cache's keys or values, with the conversion to and from requested types; the
 * conversion is chosen once per pair. For one thread.
 */
final class TypeInUse {
  private final Transcoder transcoder;

  /** The media type of the storage, or null for bytes of an unknown type. */
  private final @Nullable String stored;

  // The last choices, each for the requested type.
  private @Nullable String inwardType;
  private @Nullable Conversion inward;
  private @Nullable String outwardType;
  private @Nullable Conversion outward;

  TypeInUse(Transcoder transcoder, @Nullable String stored) {
    this.transcoder = transcoder;
    this.stored = stored;
  }

  /**
   * The conversion from the bytes of a request to the stored form.
   *
   * @param requested the media type of the request, or null if it has none
   * @return null if the bytes stay unchanged
   * @throws dev.isogrid.api.InvalidRequestException if there is no conversion
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

  /** The conversion from the stored form to the requested one; otherwise as {@link #toStored}. */
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
