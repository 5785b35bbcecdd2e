package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.DetachedEntry;
import org.jspecify.annotations.Nullable;

/** A key, value or result that knows how much room it takes in a message. */
public interface Sized {
  /** The size that is counted for other objects, which are small. */
  int SMALL_BYTES = 16;

  /** About the bytes that it takes. */
  int sizeBytes();

  /** About the bytes that an object takes, 0 for null. */
  static int of(@Nullable Object object) {
    return switch (object) {
      case null -> 0;
      case Sized sized -> sized.sizeBytes();
      case ByteString bytes -> bytes.length();
      case DetachedEntry entry -> entry.sizeBytes();
      default -> SMALL_BYTES;
    };
  }
}
