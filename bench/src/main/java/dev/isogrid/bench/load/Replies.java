package dev.isogrid.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reading of text in replies. */
final class Replies {
  /** The most bytes of a wrong reply in an error message. */
  private static final int SHOWN_SIZE_MAX = 80;

  private Replies() {}

  /**
   * Consumes these bytes.
   *
   * @return whether all bytes had arrived; otherwise the position is unchanged
   * @throws IllegalStateException if other bytes arrived
   */
  static boolean expect(ByteBuffer in, byte[] bytes) {
    int start = in.position();
    int present = Math.min(bytes.length, in.remaining());
    for (int i = 0; i < present; i++) {
      if (in.get(start + i) != bytes[i]) {
        byte[] shown = new byte[Math.min(SHOWN_SIZE_MAX, in.remaining())];
        in.get(start, shown);
        throw new IllegalStateException(
            "unexpected reply: " + new String(shown, StandardCharsets.ISO_8859_1).strip());
      }
    }
    if (present < bytes.length) {
      return false;
    }
    in.position(start + present);
    return true;
  }

  /** The position after the next line feed, or -1 if there is none. Consumes nothing. */
  static int lineEnd(ByteBuffer in) {
    for (int i = in.position(); i < in.limit(); i++) {
      if (in.get(i) == '\n') {
        return i + 1;
      }
    }
    return -1;
  }
}
