package dev.isogrid.topology;

import java.nio.charset.StandardCharsets;

/** The lengths of the texts in a topology, which every member has and every message may carry. */
final class Texts {
  private Texts() {}

  /**
   * A text that is within its limit.
   *
   * @param what the text, for the message of the exception
   * @param bytesMax as UTF-8
   * @throws IllegalArgumentException if it is longer
   */
  static String checked(String what, String text, int bytesMax) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > bytesMax) {
      throw new IllegalArgumentException(
          "text too long: %s bytes=%d, max=%d; shorten it".formatted(what, bytes, bytesMax));
    }
    return text;
  }
}
