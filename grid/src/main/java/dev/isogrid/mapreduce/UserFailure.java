package dev.isogrid.mapreduce;

import dev.isogrid.store.BinaryKey;
import org.jspecify.annotations.Nullable;

/** A function of the user, or a marshaller, threw an exception, which is the cause. */
final class UserFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The most shown characters of a key. */
  private static final int KEY_LENGTH_MAX = 100;

  UserFailure(String function, @Nullable Object key, Throwable cause) {
    super("%s failed: key=%s, %s".formatted(function, shown(key), cause), cause);
  }

  private static String shown(@Nullable Object key) {
    String text = key instanceof BinaryKey bytes ? shownBytes(bytes) : String.valueOf(key);
    return text.length() <= KEY_LENGTH_MAX ? text : text.substring(0, KEY_LENGTH_MAX) + "...";
  }

  /** Bytes that no marshaller could read: as text, with a dot for each non-ASCII character. */
  private static String shownBytes(BinaryKey key) {
    StringBuilder text = new StringBuilder();
    for (byte b : key.toByteArray()) {
      text.append(b >= ' ' && b < 0x7F ? (char) b : '.');
    }
    return text + " (%d bytes)".formatted(key.length());
  }
}
