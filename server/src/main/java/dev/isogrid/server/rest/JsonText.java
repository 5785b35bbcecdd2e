package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A value of JSON that is made of bytes, and can be written part by part: a large one is never in
 * memory as a whole. Borrows the bytes. For one thread, once.
 */
final class JsonText {
  private static final String HEX = "0123456789abcdef";

  /** The most characters of a byte: an escaped control character. */
  private static final int ESCAPED_MAX = 6;

  /** The bytes and characters of a group of Base64. */
  private static final int GROUP_BYTES = 3;

  private static final int GROUP_CHARACTERS = 4;

  /** The bytes that are written at a time, where all are written at once. */
  private static final int PART_BYTES = 1 << 14;

  private enum Form {
    /** JSON already. */
    RAW,
    /** UTF-8 in quotes. */
    TEXT,
    /** {@code 0x} and the digits of all bytes, in quotes. */
    HEX,
    /** In quotes. */
    BASE64
  }

  private final Form form;
  private final byte[] bytes;
  private boolean isBegun;
  private int done;

  private JsonText(Form form, byte[] bytes) {
    this.form = form;
    this.bytes = bytes;
  }

  /** Bytes that are JSON already. */
  static JsonText raw(byte[] json) {
    return new JsonText(Form.RAW, json);
  }

  /** UTF-8 as a text in quotes; other bytes as their hex digits. */
  static JsonText of(byte[] bytes) {
    boolean isText = ByteBufUtil.isText(Unpooled.wrappedBuffer(bytes), StandardCharsets.UTF_8);
    return new JsonText(isText ? Form.TEXT : Form.HEX, bytes);
  }

  /** Any bytes in Base64, in quotes. */
  static JsonText base64(byte[] bytes) {
    return new JsonText(Form.BASE64, bytes);
  }

  /** Appends all of it. */
  void writeAll(ByteBuf out) {
    boolean isDone = false;
    while (!isDone) {
      isDone = writePart(out, PART_BYTES);
    }
  }

  /**
   * Appends the next part.
   *
   * @param size of the part in bytes, about; 16 or more
   * @return whether that was the last one
   */
  boolean writePart(ByteBuf out, int size) {
    if (!isBegun) {
      isBegun = true;
      begin(out);
    }
    int left = bytes.length - done;
    switch (form) {
      case RAW -> {
        int count = Math.min(left, size);
        out.writeBytes(bytes, done, count);
        done += count;
      }
      case TEXT -> writeEscaped(out, Math.min(left, size / ESCAPED_MAX));
      case HEX -> writeHex(out, Math.min(left, size / 2));
      case BASE64 -> writeBase64(out, Math.min(left, size / GROUP_CHARACTERS * GROUP_BYTES));
    }
    if (done < bytes.length) {
      return false;
    }
    if (form != Form.RAW) {
      out.writeByte('"');
    }
    return true;
  }

  private void begin(ByteBuf out) {
    if (form != Form.RAW) {
      out.writeByte('"');
    }
    if (form == Form.HEX) {
      ByteBufUtil.writeAscii(out, "0x");
    }
  }

  private void writeEscaped(ByteBuf out, int count) {
    int end = done + count;
    int written = done;
    for (int at = done; at < end; at++) {
      byte b = bytes[at];
      if (b == '"' || b == '\\' || (b >= 0 && b < ' ')) {
        out.writeBytes(bytes, written, at - written);
        written = at + 1;
        out.writeByte('\\');
        if (b == '"' || b == '\\') {
          out.writeByte(b);
        } else {
          ByteBufUtil.writeAscii(out, "u00");
          writeDigits(out, b);
        }
      }
    }
    out.writeBytes(bytes, written, end - written);
    done = end;
  }

  private void writeHex(ByteBuf out, int count) {
    for (int end = done + count; done < end; done++) {
      writeDigits(out, bytes[done]);
    }
  }

  private static void writeDigits(ByteBuf out, byte b) {
    out.writeByte(HEX.charAt((b & 0xFF) >> 4));
    out.writeByte(HEX.charAt(b & 0xF));
  }

  /** All parts but the last have whole groups, so that only the last one is padded. */
  private void writeBase64(ByteBuf out, int count) {
    out.writeBytes(Base64.getEncoder().encode(ByteBuffer.wrap(bytes, done, count)));
    done += count;
  }
}
