package dev.isogrid.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tells bytes that are text from others. */
final class Utf8 {
  private Utf8() {}

  /** The text that bytes are in UTF-8, or null if they are none. */
  static @Nullable String textOrNull(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null; // any other bytes
    }
  }
}
