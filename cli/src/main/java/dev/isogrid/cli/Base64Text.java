package dev.isogrid.cli;

import java.util.Base64;

/** Bytes that a text shows in Base64. */
final class Base64Text {
  private Base64Text() {}

  /**
   * The bytes.
   *
   * @throws CommandFailure if the text is no Base64
   */
  static byte[] decode(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "no Base64: length=%d; correct the text".formatted(text.length()), e);
    }
  }
}
