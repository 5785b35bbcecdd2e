package dev.isogrid.server.memcached;

import io.netty.buffer.ByteBuf;

/**
 * The header of a request in the binary protocol. Reusable; for one thread at a time.
 *
 * <pre>
 * byte  0  magic           0x80 in requests, 0x81 in replies
 *       1  opcode
 *     2-3  length of the key
 *       4  length of the extras
 *       5  data type       ignored; 0 in replies
 *     6-7  virtual bucket  ignored; in replies the status
 *    8-11  length of the body: extras, key and value, in this order
 *   12-15  opaque          returned with the reply
 *   16-23  cas unique
 * </pre>
 *
 * All numbers are unsigned, the highest byte first.
 */
final class BinaryHeader {
  static final int SIZE = 24;
  static final int REQUEST_MAGIC = 0x80;
  static final int REPLY_MAGIC = 0x81;

  private static final int OPCODE = 1;
  private static final int KEY_LENGTH = 2;
  private static final int EXTRAS_LENGTH = 4;
  private static final int BODY_LENGTH = 8;
  private static final int OPAQUE = 12;
  private static final int CAS = 16;

  private int opcode;
  private int keyLength;
  private int extrasLength;
  private long bodyLength;
  private int opaque;
  private long cas;

  /** Reads the complete header that begins at an index. */
  void read(ByteBuf in, int index) {
    opcode = in.getUnsignedByte(index + OPCODE);
    keyLength = in.getUnsignedShort(index + KEY_LENGTH);
    extrasLength = in.getUnsignedByte(index + EXTRAS_LENGTH);
    bodyLength = in.getUnsignedInt(index + BODY_LENGTH);
    opaque = in.getInt(index + OPAQUE);
    cas = in.getLong(index + CAS);
  }

  int opcode() {
    return opcode;
  }

  int keyLength() {
    return keyLength;
  }

  int extrasLength() {
    return extrasLength;
  }

  long bodyLength() {
    return bodyLength;
  }

  /** The length of the value; negative if the lengths contradict each other. */
  long valueLength() {
    return bodyLength - keyLength - extrasLength;
  }

  int opaque() {
    return opaque;
  }

  long cas() {
    return cas;
  }
}
