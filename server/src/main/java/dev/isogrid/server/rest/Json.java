package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/**
 * Writes a JSON document of known structure. The caller must end each begun array and object. Not
 * thread-safe.
 */
final class Json {
  private static final String HEX = "0123456789abcdef";

  private final StringBuilder text = new StringBuilder();
  private boolean separate;

  Json beginObject() {
    return begin('{');
  }

  Json endObject() {
    return end('}');
  }

  Json beginArray() {
    return begin('[');
  }

  Json endArray() {
    return end(']');
  }

  private Json begin(char bracket) {
    separate();
    text.append(bracket);
    separate = false;
    return this;
  }

  private Json end(char bracket) {
    text.append(bracket);
    separate = true;
    return this;
  }

  /** Begins a member of an object; its value is to follow. */
  Json name(String name) {
    separate();
    quote(name);
    text.append(':');
    separate = false;
    return this;
  }

  Json value(String value) {
    separate();
    quote(value);
    separate = true;
    return this;
  }

  Json value(long value) {
    return raw(Long.toString(value));
  }

  Json value(boolean value) {
    return raw(Boolean.toString(value));
  }

  /** Adds a value that is JSON already. */
  Json raw(String json) {
    separate();
    text.append(json);
    separate = true;
    return this;
  }

  /** Adds an array of texts. */
  Json values(Collection<String> values) {
    beginArray();
    values.forEach(this::value);
    return endArray();
  }

  private void separate() {
    if (separate) {
      text.append(',');
    }
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  @Override
  public String toString() {
    return text.toString();
  }

  /** Appends UTF-8 bytes to a buffer as a text in quotes; other bytes as their hex digits. */
  static void writeText(ByteBuf out, byte[] bytes) {
    out.writeByte('"');
    if (isUtf8(bytes)) {
      writeEscaped(out, bytes);
    } else {
      ByteBufUtil.writeAscii(out, "0x");
      for (byte b : bytes) {
        out.writeByte(HEX.charAt((b & 0xFF) >> 4));
        out.writeByte(HEX.charAt(b & 0xF));
      }
    }
    out.writeByte('"');
  }

  private static boolean isUtf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).indexOf('\uFFFD') < 0
        || Arrays.equals(
            new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), bytes);
  }

  private static void writeEscaped(ByteBuf out, byte[] utf8) {
    int done = 0;
    for (int at = 0; at < utf8.length; at++) {
      byte b = utf8[at];
      if (b == '"' || b == '\\' || (b >= 0 && b < ' ')) {
        out.writeBytes(utf8, done, at - done);
        done = at + 1;
        out.writeByte('\\');
        if (b == '"' || b == '\\') {
          out.writeByte(b);
        } else {
          ByteBufUtil.writeAscii(out, "u00");
          out.writeByte(HEX.charAt(b >> 4));
          out.writeByte(HEX.charAt(b & 0xF));
        }
      }
    }
    out.writeBytes(utf8, done, utf8.length - done);
  }
}
