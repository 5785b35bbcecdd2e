package dev.isogrid.types;

/**
 * The fields of ProtoStream's wrapped message.
 *
 * <pre>
 * number  content
 *  1 double, 2 float, 3 int64, 5 int32, 8 bool, 9 string, 10 bytes, 20 char, 21 short, 22 byte
 *  16 or 19, then 17    type name or id of a message, the message
 *  16 or 19, then 18    type name or id of an enum, the number of the constant
 *  23                   Date, milliseconds
 *  24, 25               Instant, seconds and nanoseconds
 *  26                   null, as an element
 *  28 or 29, 27, 30     type name or id of a collection, its size, an empty message;
 *                       then its elements: scalars as above, others in a field 17 that holds a
 *                       wrapped message
 * </pre>
 */
final class WrappedTags {
  static final int DOUBLE = 1 << 3 | MessageWriter.BITS_64;
  static final int FLOAT = 2 << 3 | MessageWriter.BITS_32;
  static final int INT64 = 3 << 3;
  static final int INT32 = 5 << 3;
  static final int BOOL = 8 << 3;
  static final int STRING = 9 << 3 | MessageWriter.DELIMITED;
  static final int BYTES = 10 << 3 | MessageWriter.DELIMITED;
  static final int TYPE_NAME = 16 << 3 | MessageWriter.DELIMITED;
  static final int MESSAGE = 17 << 3 | MessageWriter.DELIMITED;
  static final int ENUM = 18 << 3;
  static final int TYPE_ID = 19 << 3;
  static final int CHAR = 20 << 3;
  static final int SHORT = 21 << 3;
  static final int BYTE = 22 << 3;
  static final int DATE = 23 << 3;
  static final int INSTANT_SECONDS = 24 << 3;
  static final int INSTANT_NANOS = 25 << 3;
  static final int EMPTY = 26 << 3;
  static final int SIZE = 27 << 3;
  static final int CONTAINER_NAME = 28 << 3 | MessageWriter.DELIMITED;
  static final int CONTAINER_ID = 29 << 3;
  static final int CONTAINER_MESSAGE = 30 << 3 | MessageWriter.DELIMITED;

  private WrappedTags() {}
}
