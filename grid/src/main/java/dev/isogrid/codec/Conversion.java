package dev.isogrid.codec;

/** A way from one media type to another, as {@link Transcoder} finds it. Thread-safe. */
@FunctionalInterface
public interface Conversion {
  /**
   * Converts a key or a value.
   *
   * @param bytes borrowed
   * @return the bytes in the wanted media type; {@code bytes} itself if they are the same
   * @throws dev.isogrid.api.InvalidRequestException if the bytes are not what their media type
   *     promises, or have no form in the other
   */
  byte[] convert(byte[] bytes);
}
