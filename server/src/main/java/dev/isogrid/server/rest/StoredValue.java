package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.wire.MediaTypes;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a cache keeps of a value that comes with a content type. Only caches that declare
 * ProtoStream convert; all others keep the bytes as they come. Pure functions.
 */
final class StoredValue {
  /** What an entry has room for. */
  static final int CONTENT_TYPE_LENGTH_MAX = 127;

  private StoredValue() {}

  /**
   * Whether a value has to be converted to be kept.
   *
   * @param contentType as sent, or null
   * @param stored the media type that the cache keeps values in
   */
  static boolean isConverted(@Nullable String contentType, String stored) {
    if (contentType == null || !MediaTypeText.essence(stored).equals(MediaTypes.PROTOSTREAM)) {
      return false;
    }
    return switch (MediaTypeText.essence(contentType)) {
      case "*/*", MediaTypes.PROTOSTREAM, CacheConfig.UNKNOWN_MEDIA_TYPE -> false;
      default -> true;
    };
  }

  /**
   * Converts a value for a cache that keeps ProtoStream.
   *
   * @throws InvalidRequestException if there is no conversion
   */
  static byte[] convert(byte[] value, String contentType) {
    String type = MediaTypeText.essence(contentType);
    if (!MediaTypeText.isText(type)) {
      return Transcoder.convert(value, type, MediaTypes.PROTOSTREAM);
    }
    Charset charset = charset(contentType);
    byte[] utf8 =
        isUtf8(charset) ? value : new String(value, charset).getBytes(StandardCharsets.UTF_8);
    return Transcoder.convert(utf8, MediaTypes.TEXT_PLAIN, MediaTypes.PROTOSTREAM);
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
    if (!isPrintable(contentType)) {
      throw RestProblem.badRequest(
          "content type can't be kept: length=%d; at most %d printable ASCII characters are allowed"
              .formatted(contentType.length(), CONTENT_TYPE_LENGTH_MAX));
    }
    boolean recoded = converted && MediaTypeText.isText(type) && !isUtf8(charset(contentType));
    return recoded ? type + "; charset=utf-8" : contentType;
  }

  /** Whether a content type can stand in a header field and in an entry. */
  static boolean isPrintable(String contentType) {
    return contentType.length() <= CONTENT_TYPE_LENGTH_MAX
        && contentType.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static boolean isUtf8(Charset charset) {
    return charset.equals(StandardCharsets.UTF_8) || charset.equals(StandardCharsets.US_ASCII);
  }

  private static Charset charset(String contentType) {
    String name = MediaTypeText.parameter(contentType, "charset");
    if (name.isEmpty()) {
      return StandardCharsets.UTF_8;
    }
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException e) {
      throw RestProblem.badRequest("unknown character set: charset=%s; use utf-8".formatted(name));
    }
  }
}
