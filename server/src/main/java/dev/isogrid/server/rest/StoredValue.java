package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.codec.Transcoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Converts values with a content type to the stored form. Caches with a media type convert; all
 * others keep the bytes unchanged. Pure functions.
 */
final class StoredValue {
  /** The longest content type of an entry. */
  static final int CONTENT_TYPE_LENGTH_MAX = 127;

  private StoredValue() {}

  /**
   * The conversion of a value to the stored form, or null if it stays unchanged.
   *
   * @param contentType as sent, or null
   * @param stored the media type of stored values
   * @throws InvalidRequestException if there is no conversion
   */
  static @Nullable Conversion conversion(
      Transcoder transcoder, @Nullable String contentType, String stored) {
    boolean isAny = contentType == null || MediaTypeText.essence(contentType).equals("*/*");
    return contentType == null || isAny ? null : transcoder.find(contentType, stored);
  }

  /**
   * The content type to store with the value, or null for none.
   *
   * @param contentType as sent, or null
   * @param converted whether the value is converted
   * @throws RestProblem if it can't be stored
   */
  static @Nullable String keptType(@Nullable String contentType, boolean converted) {
    if (contentType == null) {
      return null;
    }
    String type = MediaTypeText.essence(contentType);
    if (type.isEmpty() || type.equals("*/*") || type.equals(CacheConfig.UNKNOWN_MEDIA_TYPE)) {
      return null;
    }
    checkForm("Content-Type", type);
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

  /**
   * Checks that a media type has a type and a subtype.
   *
   * @param field its header field
   * @param essence the media type without parameters
   * @throws RestProblem if not
   */
  static void checkForm(String field, String essence) {
    int slash = essence.indexOf('/');
    if (slash <= 0 || slash == essence.length() - 1) {
      throw RestProblem.badRequest(
          "malformed media type: %s=%s; use TYPE/SUBTYPE".formatted(field, essence));
    }
  }

  /** Whether a content type is allowed in a header field and in an entry. */
  static boolean isPrintable(String contentType) {
    boolean isPrintable = contentType.length() <= CONTENT_TYPE_LENGTH_MAX;
    for (int i = 0; i < contentType.length() && isPrintable; i++) {
      char c = contentType.charAt(i);
      isPrintable = c >= ' ' && c <= '~';
    }
    return isPrintable;
  }
}
