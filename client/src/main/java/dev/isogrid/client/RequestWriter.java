package dev.isogrid.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends the primitives of the protocol to an array, from which they go into the socket. Used
 * again and again; for one connection.
 */
final class RequestWriter {
  private static final int SIZE_FIRST = 1 << 10;

  /** An array that grew beyond this for a large request is not kept. */
  private static final int SIZE_KEPT_MAX = 256 << 10;

  private byte[] array = new byte[SIZE_FIRST];
  private int taken;
  private int end;
  private int version;

  /** Whether the server knows of sessions. */
  private boolean takesSessions;

  /** Whether the server has the extension of exact times. */
  private boolean takesTimes;

  /** Whether an earlier request of the connection named the session. */
  private boolean isSessionNamed;

  /** Sets the version of the protocol that is written from now on. */
  void begin(int protocolVersion) {
    version = protocolVersion;
  }

  /** The bytes; those that were not taken yet are from {@link #start} to {@link #end}. */
  byte[] array() {
    return array;
  }

  /** Where the first byte is that was not taken yet. */
  int start() {
    return taken;
  }

  /** The end of the bytes so far. */
  int end() {
    return end;
  }

  boolean isEmpty() {
    return taken == end;
  }

  /** Notes that bytes went into the socket. */
  void taken(int size) {
    taken += size;
    if (taken == end) {
      taken = 0;
      end = 0;
      if (array.length > SIZE_KEPT_MAX) {
        array = new byte[SIZE_FIRST];
      }
    }
  }

  /** Removes all bytes after this position. */
  void truncate(int earlierEnd) {
    end = earlierEnd;
  }

  /** Makes room for bytes that follow. */
  private void need(int size) {
    if (array.length - end < size) {
      long wanted = Math.max((long) end + size, 2L * array.length);
      array = Arrays.copyOf(array, Math.toIntExact(Math.min(wanted, Integer.MAX_VALUE - 8)));
    }
  }

  /** The bytes of a text as UTF-8. */
  static int utf8Size(String text) {
    int size = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return text.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return size;
  }

  private void utf8(String text, int size) {
    need(size);
    if (size == text.length()) { // nothing but ASCII, of which each character takes one byte
      for (int i = 0; i < size; i++) {
        array[end + i] = (byte) text.charAt(i);
      }
      end += size;
    } else {
      raw(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The server knows of sessions from now on. */
  void takeSessions() {
    takesSessions = true;
  }

  /** Whether the server knows of sessions. */
  boolean takesSessions() {
    return takesSessions;
  }

  /** The server has {@link dev.isogrid.wire.TimesExtension}, from now on. */
  void takeTimes() {
    takesTimes = true;
  }

  /** Whether the server has {@link dev.isogrid.wire.TimesExtension}. */
  boolean takesTimes() {
    return takesTimes;
  }

  /** Whether a request before named the session. */
  boolean isSessionNamed() {
    return isSessionNamed;
  }

  /** A request was written that names the session. */
  void sessionNamed() {
    isSessionNamed = true;
  }

  /** The version of the protocol that the connection speaks. */
  int version() {
    return version;
  }

  void u8(int number) {
    need(1);
    array[end++] = (byte) number;
  }

  void i32(int number) {
    need(Integer.BYTES);
    for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      array[end++] = (byte) (number >>> shift);
    }
  }

  void i64(long number) {
    need(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      array[end++] = (byte) (number >>> shift);
    }
  }

  void vInt(int number) {
    int rest = number;
    while ((rest & ~0x7F) != 0) {
      u8((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    u8(rest);
  }

  void vLong(long number) {
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      u8(((int) rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    u8((int) rest);
  }

  /** A vInt with the sign in its lowest bit. */
  void sInt(int number) {
    vInt(number << 1 ^ number >> 31);
  }

  /** Appends bytes without a length. */
  void raw(byte[] bytes) {
    raw(bytes, bytes.length);
  }

  private void raw(byte[] bytes, int length) {
    need(length);
    System.arraycopy(bytes, 0, array, end, length);
    end += length;
  }

  void bytes(byte[] bytes) {
    bytes(bytes, bytes.length);
  }

  /** The first bytes of an array, with their number. */
  void bytes(byte[] bytes, int length) {
    vInt(length);
    raw(bytes, length);
  }

  void string(String text) {
    int size = utf8Size(text);
    vInt(size);
    utf8(text, size);
  }

  /**
   * A value with its length.
   *
   * @param value bytes, or text that is written as UTF-8
   * @param length how many of the bytes, from the first one on
   * @param tag the tag before the value's own length, or 0 for neither
   */
  void value(Object value, int length, int tag) {
    if (value instanceof String text) {
      int size = utf8Size(text);
      valueStart(size, tag);
      utf8(text, size);
    } else {
      valueStart(length, tag);
      raw((byte[]) value, length);
    }
  }

  private void valueStart(int size, int tag) {
    if (tag != 0) {
      vInt(1 + vIntSize(size) + size);
      u8(tag);
    }
    vInt(size);
  }

  /** The bytes that a vLong of 0 or more takes. */
  static int vLongSize(long number) {
    int size = 1;
    for (long rest = number >>> 7; rest != 0; rest >>>= 7) {
      size++;
    }
    return size;
  }

  /** The bytes that a vInt of 0 or more takes. */
  static int vIntSize(int number) {
    int size = 1;
    for (int rest = number >>> 7; rest != 0; rest >>>= 7) {
      size++;
    }
    return size;
  }
}
