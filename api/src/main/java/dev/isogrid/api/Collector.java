package dev.isogrid.api;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Takes what a mapper emits. For the thread that it was handed to, during the call.
 *
 * @param <A> the keys
 * @param <B> the values
 */
@FunctionalInterface
public interface Collector<A, B> {
  /**
   * Adds a pair. Strings, byte arrays, boxed primitives, and all serialisable objects can be keys
   * and values. Keys belong together if their serialised forms are equal, as those of strings,
   * numbers, enums, and records of these are.
   *
   * @param value not to be changed from then on
   */
  void emit(A key, B value);

  /**
   * Adds a pair whose key is a text, where {@code A} is {@code String}: as {@link #emit} of the
   * string, but in a {@link BytesMapper} whose task has a combiner no object is made for it, and
   * with a {@link LongCombiner} none for the sum either.
   *
   * @param source of the bytes, such as the value that the mapper was given; its position and limit
   *     don't matter, and stay
   * @param offset where the text begins, from 0 to the capacity
   * @param length of the text in bytes, 0 or more; the bytes must be UTF-8
   * @param value not to be changed from then on
   * @throws IndexOutOfBoundsException if there are not so many bytes
   */
  @SuppressWarnings("unchecked") // the keys are texts, as is said above
  default void emitText(ByteBuffer source, int offset, int length, B value) {
    byte[] utf8 = new byte[length];
    source.duplicate().clear().get(offset, utf8);
    emit((A) new String(utf8, StandardCharsets.UTF_8), value);
  }
}
