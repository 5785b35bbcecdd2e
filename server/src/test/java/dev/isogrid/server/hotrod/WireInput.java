package dev.isogrid.server.hotrod;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the protocol's primitives, independently of the code under test. */
final class WireInput {
  private final ByteBuffer in;

  WireInput(byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
  }

  boolean hasMore() {
    return in.hasRemaining();
  }

  int position() {
    return in.position();
  }

  int u8() {
    return in.get() & 0xFF;
  }

  int u16() {
    return in.getShort() & 0xFFFF;
  }

  int i32() {
    return in.getInt();
  }

  void skip(int bytes) {
    in.position(in.position() + bytes);
  }

  long i64() {
    return in.getLong();
  }

  int vInt() {
    return (int) vLong();
  }

  int sInt() {
    int coded = vInt();
    return (coded & 1) == 0 ? coded >>> 1 : -(coded >>> 1) - 1;
  }

  long vLong() {
    long number = 0;
    int shift = 0;
    while (true) {
      int next = u8();
      number |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return number;
      }
      shift += 7;
    }
  }

  byte[] bytes() {
    byte[] bytes = new byte[vInt()];
    in.get(bytes);
    return bytes;
  }

  String string() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
