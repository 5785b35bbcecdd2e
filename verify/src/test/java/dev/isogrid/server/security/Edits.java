package dev.isogrid.server.security;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Changes valid messages as a fuzzer's input directs, so that most of each message stays valid. */
final class Edits {
  /** An operation, a position of two bytes, and a value. */
  private static final int SIZE = 4;

  private static final int OPERATIONS = 4;

  private Edits() {}

  /**
   * Applies the edits that an input has from an offset on.
   *
   * @return the changed message; equal to the original if there is no edit
   */
  static byte[] apply(byte[] original, byte[] input, int offset) {
    byte[] edited = original.clone();
    for (int at = offset; at + SIZE <= input.length; at += SIZE) {
      int position = (input[at + 1] & 0xFF) << 8 | (input[at + 2] & 0xFF);
      edited = edited(edited, input[at] & 0xFF, position % (edited.length + 1), input[at + 3]);
    }
    return edited;
  }

  private static byte[] edited(byte[] bytes, int operation, int position, byte value) {
    byte[] head = Arrays.copyOf(bytes, position);
    byte[] tail = Arrays.copyOfRange(bytes, position, bytes.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(head);
    switch (operation % OPERATIONS) {
      case 0 -> { // another byte in this place
        out.write(value);
        out.write(tail, Math.min(1, tail.length), Math.max(0, tail.length - 1));
      }
      case 1 -> { // one byte more
        out.write(value);
        out.writeBytes(tail);
      }
      case 2 -> { // some bytes less
        int from = Math.min(tail.length, value & 0xFF);
        out.write(tail, from, tail.length - from);
      }
      default -> { // some bytes twice
        out.write(tail, 0, Math.min(tail.length, value & 0xFF));
        out.writeBytes(tail);
      }
    }
    return out.toByteArray();
  }
}
