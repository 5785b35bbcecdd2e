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
  RECORD,

  /** Text as keys, documents in JSON as values: texts that have much in common. */
  JSON,

  /** Text as keys, orders as values: records with texts that have much in common. */
  ORDER;

  /** Calls before the keys repeat. A power of two. */
  static final int SEQUENCE_LENGTH = 1 << 16;

  /** Different values to put. A power of two. */
  private static final int VALUES = 64;

  /** The same where values are to have in common what real ones have, and no more. */
  private static final int VALUES_OF_DOCUMENTS = 1 << 14;

  private static final long SEED = 42;

  /** A value of {@link #RECORD}. */
  public record Purchase(String product, int count, long cents) {}

  /** The name in options and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Different values; a power of two. */
  int valueCount() {
    return this == JSON || this == ORDER ? VALUES_OF_DOCUMENTS : VALUES;
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
      case JSON -> Documents.json(number, size);
      case ORDER -> Documents.order(number, size);
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

  /** Keys for calls, other objects than the keys in the map. */
  Object[] keys(int entries) {
    int[] numbers = Distribution.UNIFORM.sequence(SEQUENCE_LENGTH, entries, SEED);
    return Arrays.stream(numbers).mapToObj(this::key).toArray();
  }

  /** Values to put. */
  Object[] values(int size) {
    Object[] values = new Object[valueCount()];
    Arrays.setAll(values, number -> value(number, size));
    return values;
  }

  /** Whether a map returned the value that was put. */
  static boolean isSame(Object value, Object other) {
    return (value instanceof byte[] bytes && other instanceof byte[] others)
        ? Arrays.equals(bytes, others)
        : value.equals(other);
  }
}
