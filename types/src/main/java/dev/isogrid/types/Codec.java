package dev.isogrid.types;

import org.jspecify.annotations.Nullable;

/** The form of the values of one type as a field of a message. Thread-safe. */
abstract class Codec {
  /** The wire type of a value, one of {@link MessageWriter}'s. */
  abstract int wireType();

  /** Writes a value, with its length if it has one, without a tag. */
  abstract void write(MessageWriter out, Object value);

  /**
   * Reads a value whose tag had {@link #wireType}.
   *
   * @return null if it is one that only a newer version of the class has
   */
  abstract @Nullable Object read(MessageReader in);

  /** Reads a value of any wire type that stands for one of this type. */
  @Nullable Object readAs(MessageReader in, int wireType) {
    MessageReader.expect(wireType(), wireType);
    return read(in);
  }

  /** The value that stands for one that is left out of a pair; null if none does. */
  @Nullable Object zero() {
    return null;
  }
}
