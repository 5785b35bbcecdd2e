package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/**
 * Stands in a result for an object whose class is used for the first time: to read it takes its
 * schema, for which the thread that reads answers must not wait. Immutable.
 */
final class Undecoded {
  private final ObjectFormat format;
  private final byte[] bytes;

  Undecoded(ObjectFormat format, byte[] bytes) {
    this.format = format;
    this.bytes = bytes;
  }

  /**
   * The object that a part of a result is or stands for. For a thread that may wait.
   *
   * @throws MarshallingException if its bytes are no object
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // it is in the place of an object or of null
  static <T extends @Nullable Object> T object(T part) {
    return part instanceof Undecoded undecoded ? (T) undecoded.format.read(undecoded.bytes) : part;
  }
}
