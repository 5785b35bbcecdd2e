package dev.isogrid.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tells bytes that are text from others. */
final class Utf8 {
  /** Some programs begin a file with it; it is not part of the text. */
  private static final int BYTE_ORDER_MARK = 0xfeff;

  private Utf8() {}

  /** The text that bytes are in UTF-8, or null if they are none. */
  static @Nullable String textOrNull(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null; // any other bytes
    }
  }

  /**
   * Reads a text, without a byte order mark at its beginning. Bytes that are not UTF-8 text end the
   * reading with a {@link CharacterCodingException}, so that none are replaced silently.
   *
   * @param in borrowed; closed with the reader
   */
  static BufferedReader reader(InputStream in) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }
}
