package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.wire.MediaTypes;
import org.jspecify.annotations.Nullable;

/** Names of media types, made comparable by reference as far as they are in {@link MediaTypes}. */
final class MediaTypeNames {
  /** The longest media type that is kept with an entry. */
  static final int LENGTH_MAX = 127;

  private MediaTypeNames() {}

  /**
   * A name as sent by a client.
   *
   * @return the constant of {@link MediaTypes} if there is one
   * @throws InvalidRequestException if it is none of visible ASCII characters
   */
  static String canonical(String name) {
    int id = MediaTypes.idOf(name);
    if (id != 0) {
      return String.valueOf(MediaTypes.nameOf(id));
    }
    if (name.isEmpty() || !name.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw unknown("length", name.length());
    }
    return name;
  }

  /** The media type that a cache keeps, without parameters; null for opaque bytes. */
  static @Nullable String ofStorage(String configured) {
    int end = configured.indexOf(';');
    String bare = end < 0 ? configured : configured.substring(0, end).strip();
    String name = canonical(bare);
    return name.equals(MediaTypes.UNKNOWN) ? null : name;
  }

  static InvalidRequestException unknown(String what, int number) {
    return new InvalidRequestException(
        "unknown media type: %s=%d; use a known id, or a name of up to %d ASCII characters"
            .formatted(what, number, LENGTH_MAX));
  }
}
