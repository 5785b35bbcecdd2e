package dev.isogrid.client;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The bytes of a key, or of an id, as a key of maps. Immutable; takes the array. */
final class KeyBytes {
  private final byte[] bytes;
  private final int hash;

  KeyBytes(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /** The bytes; not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyBytes key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
