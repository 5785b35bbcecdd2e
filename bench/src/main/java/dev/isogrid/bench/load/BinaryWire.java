package dev.isogrid.bench.load;

import java.nio.ByteBuffer;

/**
 * The binary commands of memcached: get and set, or quiet gets whose answers the server may collect
 * until the command that ends the batch.
 */
public final class BinaryWire implements Wire {
  private static final int HEAD_SIZE = 24;
  private static final byte REQUEST = (byte) 0x80;
  private static final byte REPLY = (byte) 0x81;
  private static final byte GET = 0x00;
  private static final byte SET = 0x01;
  private static final byte GET_QUIETLY = 0x09;
  private static final byte NOTHING = 0x0a;
  private static final int SET_EXTRAS_SIZE = 8;
  private static final int GET_EXTRAS_SIZE = 4;
  private static final int STATUS_OFFSET = 6;
  private static final int BODY_SIZE_OFFSET = 8;

  private final boolean isQuiet;
  private boolean isOpen;

  /**
   * Makes one end of a connection.
   *
   * @param isQuiet whether gets are quiet; each key must have an entry then
   */
  public BinaryWire(boolean isQuiet) {
    this.isQuiet = isQuiet;
  }

  private static void writeHead(ByteBuffer out, byte command, int keySize, int extras, int body) {
    out.put(REQUEST).put(command).putShort((short) keySize);
    out.put((byte) extras).put((byte) 0).putShort((short) 0);
    out.putInt(body).putInt(0).putLong(0);
  }

  @Override
  public void writeGet(ByteBuffer out, byte[] key) {
    isOpen = isQuiet;
    writeHead(out, isQuiet ? GET_QUIETLY : GET, key.length, 0, key.length);
    out.put(key);
  }

  @Override
  public void writePut(ByteBuffer out, byte[] key, byte[] value) {
    int body = SET_EXTRAS_SIZE + key.length + value.length;
    writeHead(out, SET, key.length, SET_EXTRAS_SIZE, body);
    out.putLong(0).put(key).put(value);
  }

  @Override
  public void endBatch(ByteBuffer out) {
    if (isOpen) {
      writeHead(out, NOTHING, 0, 0, 0);
      isOpen = false;
    }
  }

  /** The answer to the end of a batch is read with the reply that follows it. */
  @Override
  public boolean readReply(ByteBuffer in, Operation operation, int valueSize) {
    int start = in.position();
    if (in.remaining() >= HEAD_SIZE && in.get(start + 1) == NOTHING) {
      start += HEAD_SIZE;
      in.position(start);
    }
    if (in.remaining() < HEAD_SIZE) {
      return false;
    }
    int expected = operation == Operation.GET ? GET_EXTRAS_SIZE + valueSize : 0;
    int body = in.getInt(start + BODY_SIZE_OFFSET);
    if (in.get(start) != REPLY || in.getShort(start + STATUS_OFFSET) != 0 || body != expected) {
      throw new IllegalStateException(
          "unexpected reply: magic %02x, command %d, status %d, %d B"
              .formatted(
                  in.get(start), in.get(start + 1), in.getShort(start + STATUS_OFFSET), body));
    }
    if (in.remaining() < HEAD_SIZE + body) {
      return false;
    }
    in.position(start + HEAD_SIZE + body);
    return true;
  }
}
