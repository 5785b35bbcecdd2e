package dev.isogrid.bench.embedded;

import dev.isogrid.bench.local.Distribution;
import java.util.Arrays;
import java.util.Locale;

/** The classes of a map's keys and values. */
enum Kind {
  /** Text as keys and values. */
  STRING,

  /** Text as keys, arrays of bytes as values. */
  BYTES,

  /** {@code Long} as keys and values. */
  LONG,

  /** Text as keys, records of three components as values. */
  RECORD;

  /** Calls before the keys repeat. A power of two. */
  static final int SEQUENCE_LENGTH = 1 << 16;

  /** Different values to put. A power of two. */
  static final int VALUES = 64;

  private static final long SEED = 42;

  /** A value of {@link #RECORD}. */
  public record Purchase(String product, int count, long cents) {}

  /** The name in options and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A key, equal for equal numbers and a new object each time. */
  Object key(int number) {
    return this == LONG ? (Object) (1_000_000_007L * number) : "key-" + number;
  }

  /**
   * A value.
   *
   * @param size the bytes of text and of arrays
   */
  Object value(int number, int size) {
    return switch (this) {
      case STRING -> text(number, size);
      case LONG -> 1_000_000_000_000L + number;
      case RECORD -> new Purchase(text(number, size), number, 100L * number);
      case BYTES -> {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) number);
        yield bytes;
      }
    };
  }

  private static String text(int number, int size) {
    return String.valueOf((char) ('0' + number)).repeat(size);
  }

  /** Keys to call with, not the objects that the map was filled with. */
  Object[] keys(int entries) {
    int[] numbers = Distribution.UNIFORM.sequence(SEQUENCE_LENGTH, entries, SEED);
    return Arrays.stream(numbers).mapToObj(this::key).toArray();
  }

  /** Values to put. */
  Object[] values(int size) {
    Object[] values = new Object[VALUES];
    Arrays.setAll(values, number -> value(number, size));
    return values;
  }

  /** Whether a map gave what was put. */
  static boolean isSame(Object value, Object other) {
    return (value instanceof byte[] bytes && other instanceof byte[] others)
        ? Arrays.equals(bytes, others)
        : value.equals(other);
  }
}
