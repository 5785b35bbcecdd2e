package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.codec.Transcoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a cache keeps of a value that comes with a content type. Caches that declare a media type
 * convert; all others keep the bytes as they come. Pure functions.
 */
final class StoredValue {
  /** What an entry has room for. */
  static final int CONTENT_TYPE_LENGTH_MAX = 127;

  private StoredValue() {}

  /**
   * How a value has to be converted to be kept, or null if it stays as it is.
   *
   * @param contentType as sent, or null
   * @param stored the media type that the cache keeps values in
   * @throws InvalidRequestException if there is no conversion
   */
  static @Nullable Conversion conversion(
      Transcoder transcoder, @Nullable String contentType, String stored) {
    boolean isAny = contentType == null || MediaTypeText.essence(contentType).equals("*/*");
    return contentType == null || isAny ? null : transcoder.find(contentType, stored);
  }

  /**
   * The content type that is kept with the value, or null to keep none.
   *
   * @param contentType as sent, or null
   * @param converted whether the value is converted
   * @throws RestProblem if it can't be kept
   */
  static @Nullable String keptType(@Nullable String contentType, boolean converted) {
    if (contentType == null) {
      return null;
    }
    String type = MediaTypeText.essence(contentType);
    if (type.isEmpty() || type.equals("*/*") || type.equals(CacheConfig.UNKNOWN_MEDIA_TYPE)) {
      return null;
    }
    MediaTypeText.charset(contentType); // so that it can be read again
    if (!isPrintable(contentType)) {
      throw RestProblem.badRequest(
          "content type can't be kept: length=%d; at most %d printable ASCII characters are allowed"
              .formatted(contentType.length(), CONTENT_TYPE_LENGTH_MAX));
    }
    boolean recoded =
        converted
            && MediaTypeText.isText(type)
            && !MediaTypeText.charset(contentType).equals(StandardCharsets.UTF_8);
    return recoded ? type + "; charset=utf-8" : contentType;
  }

  /** Whether a content type can stand in a header field and in an entry. */
  static boolean isPrintable(String contentType) {
    return contentType.length() <= CONTENT_TYPE_LENGTH_MAX
        && contentType.chars().allMatch(c -> c >= ' ' && c <= '~');
  }
}
