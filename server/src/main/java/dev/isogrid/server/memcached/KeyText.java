package dev.isogrid.server.memcached;

/**
 * Keys in lines for programs: letters, digits and a few signs unchanged, all other bytes as {@code
 * %HH}.
 */
final class KeyText {
  /** The bytes that stand for themselves besides letters and digits. */
  private static final String UNRESERVED = "-._~";

  private KeyText() {}

  /** Appends a key. */
  static void append(StringBuilder text, byte[] key) {
    for (byte each : key) {
      append(text, (char) (each & 0xFF));
    }
  }

  private static void append(StringBuilder text, char character) {
    boolean isPlain =
        (character >= '0' && character <= '9')
            || (character >= 'A' && character <= 'Z')
            || (character >= 'a' && character <= 'z')
            || UNRESERVED.indexOf(character) >= 0;
    if (isPlain) {
      text.append(character);
    } else {
      text.append('%').append("%02X".formatted((int) character));
    }
  }
}
