package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.wire.MediaTypes;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of media types, comparable by reference if they are in {@link MediaTypes}. */
final class MediaTypeNames {
  /** The longest media type that is kept with an entry. */
  static final int LENGTH_MAX = 127;

  /** The longest name of a character set. */
  static final int CHARSET_LENGTH_MAX = 40;

  private static final Pattern CHARSET = Pattern.compile("[\\w.:+-]+");

  private MediaTypeNames() {}

  /**
   * A name as sent by a client.
   *
   * @return the constant of {@link MediaTypes} if there is one
   * @throws InvalidRequestException if it has other characters than visible ASCII, or no subtype
   */
  static String canonical(String name) {
    int id = MediaTypes.idOf(name);
    if (id != 0) {
      return String.valueOf(MediaTypes.nameOf(id));
    }
    if (name.indexOf('/') < 1 || !name.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw unknown("length", name.length());
    }
    return name;
  }

  /**
   * The media type of a cache's storage, comparable by reference with the same type of a request;
   * null for opaque bytes.
   */
  static @Nullable String kept(String configured) {
    String bare = ofStorage(configured);
    return bare == null ? null : withCharset(bare, MediaTypeText.parameter(configured, "charset"));
  }

  /** A media type with a character set if that makes a difference, else unchanged. */
  static String withCharset(String mediaType, String charset) {
    boolean isPlain =
        charset.isEmpty()
            || !CHARSET.matcher(charset).matches()
            || charset.equalsIgnoreCase("utf-8")
            || charset.equalsIgnoreCase("us-ascii")
            || !(MediaTypeText.isText(mediaType) || mediaType.equals(MediaTypes.JSON));
    if (isPlain) {
      return mediaType;
    }
    String full = mediaType + ";charset=" + charset;
    if (full.length() > LENGTH_MAX) {
      throw unknown("length", full.length());
    }
    return full;
  }

  /** The media type of a cache's storage, without parameters; null for opaque bytes. */
  static @Nullable String ofStorage(String configured) {
    int end = configured.indexOf(';');
    String bare = end < 0 ? configured : configured.substring(0, end).strip();
    String name = canonical(bare);
    return name.equals(MediaTypes.UNKNOWN) ? null : name;
  }

  static InvalidRequestException unknown(String what, int number) {
    return new InvalidRequestException(
        "unknown media type: %s=%d; use a known id, or TYPE/SUBTYPE of up to %d ASCII characters"
            .formatted(what, number, LENGTH_MAX));
  }
}
