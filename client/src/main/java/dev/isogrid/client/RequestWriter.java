package dev.isogrid.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** Appends the primitives of the protocol to a buffer. Reusable; for one connection. */
final class RequestWriter {
  private ByteBuf out = Unpooled.EMPTY_BUFFER;
  private int version;

  /** Goes on at the end of a buffer, borrowed. */
  void begin(ByteBuf buffer, int protocolVersion) {
    out = buffer;
    version = protocolVersion;
  }

  /** The version of the protocol that the connection speaks. */
  int version() {
    return version;
  }

  void u8(int number) {
    out.writeByte(number);
  }

  void i32(int number) {
    out.writeInt(number);
  }

  void i64(long number) {
    out.writeLong(number);
  }

  void vInt(int number) {
    int rest = number;
    while ((rest & ~0x7F) != 0) {
      out.writeByte((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }

  void vLong(long number) {
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      out.writeByte(((int) rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  /** A vInt with the sign in its lowest bit. */
  void sInt(int number) {
    vInt(number << 1 ^ number >> 31);
  }

  /** Bytes as they are, without a length. */
  void raw(byte[] bytes) {
    out.writeBytes(bytes);
  }

  void bytes(byte[] bytes) {
    vInt(bytes.length);
    out.writeBytes(bytes);
  }

  /** The first bytes of an array, with their number. */
  void bytes(byte[] bytes, int length) {
    vInt(length);
    out.writeBytes(bytes, 0, length);
  }

  void string(String text) {
    vInt(ByteBufUtil.utf8Bytes(text));
    ByteBufUtil.writeUtf8(out, text);
  }

  /**
   * A value with its length.
   *
   * @param value bytes, or text that is written as UTF-8
   * @param length how many of the bytes, from the first one on
   * @param tag what comes before the value's own length, or 0 for neither
   */
  void value(Object value, int length, int tag) {
    if (value instanceof String text) {
      int size = ByteBufUtil.utf8Bytes(text);
      valueStart(size, tag);
      ByteBufUtil.reserveAndWriteUtf8(out, text, size);
    } else {
      valueStart(length, tag);
      out.writeBytes((byte[]) value, 0, length);
    }
  }

  private void valueStart(int size, int tag) {
    if (tag != 0) {
      vInt(1 + vIntSize(size) + size);
      out.writeByte(tag);
    }
    vInt(size);
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
