package dev.isogrid.mapreduce;

import org.jspecify.annotations.Nullable;

/** A function of the user threw an exception, which is the cause. */
final class UserFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Of a key's text this much is shown. */
  private static final int KEY_LENGTH_MAX = 100;

  UserFailure(String function, @Nullable Object key, Throwable cause) {
    super("%s failed: key=%s, %s".formatted(function, shown(key), cause), cause);
  }

  private static String shown(@Nullable Object key) {
    String text = String.valueOf(key);
    return text.length() <= KEY_LENGTH_MAX ? text : text.substring(0, KEY_LENGTH_MAX) + "...";
  }
}
