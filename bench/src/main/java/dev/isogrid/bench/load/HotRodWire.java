package dev.isogrid.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Hot Rod 4.1: basic intelligence, no media types, so keys and values are opaque bytes. */
public final class HotRodWire implements Wire {
  private static final int REQUEST_MAGIC = 0xA0;
  private static final int REPLY_MAGIC = 0xA1;
  private static final int VERSION_4_1 = 41;
  private static final int PUT = 0x01;
  private static final int PUT_REPLY = 0x02;
  private static final int GET = 0x03;
  private static final int GET_REPLY = 0x04;
  private static final int BASIC_INTELLIGENCE = 1;

  /** Lifespan and max idle of the cache's configuration. */
  private static final int DEFAULT_EXPIRY = 0x77;

  /** Message ids restart at this number, so that they have at most three bytes. */
  private static final int MESSAGE_ID_MAX = 1 << 21;

  /** Magic, id of one to three bytes, opcode, status, topology marker. */
  private static final int REPLY_HEADER_SIZE_MAX = 7;

  private final byte[] cacheName;
  private int messageId;

  /** Makes one end of a connection to a cache. */
  public HotRodWire(String cacheName) {
    this.cacheName = cacheName.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void writeGet(ByteBuffer out, byte[] key) {
    writeHeader(out, GET);
    writeBytes(out, key);
  }

  @Override
  public void writePut(ByteBuffer out, byte[] key, byte[] value) {
    writeHeader(out, PUT);
    writeBytes(out, key);
    out.put((byte) DEFAULT_EXPIRY);
    writeBytes(out, value);
  }

  private void writeHeader(ByteBuffer out, int opcode) {
    messageId = (messageId + 1) % MESSAGE_ID_MAX;
    out.put((byte) REQUEST_MAGIC);
    writeNumber(out, messageId);
    out.put((byte) VERSION_4_1).put((byte) opcode);
    writeBytes(out, cacheName);
    out.put((byte) 0).put((byte) BASIC_INTELLIGENCE).put((byte) 0); // no flags, no topology
    out.put((byte) 0).put((byte) 0).put((byte) 0); // no media types, no other parameters
  }

  private static void writeBytes(ByteBuffer out, byte[] bytes) {
    writeNumber(out, bytes.length);
    out.put(bytes);
  }

  private static void writeNumber(ByteBuffer out, int number) {
    int rest = number;
    while (rest > 0x7F) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  @Override
  public boolean readReply(ByteBuffer in, Operation operation, int valueSize) {
    if (in.remaining() < REPLY_HEADER_SIZE_MAX && !isWholeHeader(in)) {
      return false;
    }
    int magic = in.get() & 0xFF;
    readNumber(in);
    int opcode = in.get() & 0xFF;
    int status = in.get() & 0xFF;
    int topology = in.get() & 0xFF;
    boolean isKnown = opcode == GET_REPLY || opcode == PUT_REPLY; // in the order of completion
    if (magic != REPLY_MAGIC || !isKnown || status != 0 || topology != 0) {
      throw new IllegalStateException(
          "unexpected reply: magic=%x, opcode=%x, status=%x, topology=%x"
              .formatted(magic, opcode, status, topology));
    }
    return opcode == PUT_REPLY || readValue(in, valueSize);
  }

  /** For short input: whether the number after the magic ends and three bytes follow. */
  private static boolean isWholeHeader(ByteBuffer in) {
    for (int i = in.position() + 1; i < in.limit(); i++) {
      if (in.get(i) >= 0) {
        return in.limit() - i > 3;
      }
    }
    return false;
  }

  private static boolean readValue(ByteBuffer in, int valueSize) {
    int numberSize = numberSize(valueSize);
    if (in.remaining() < numberSize + valueSize) {
      return false;
    }
    int size = readNumber(in);
    if (size != valueSize) {
      throw new IllegalStateException("unexpected value: size=" + size);
    }
    in.position(in.position() + size);
    return true;
  }

  private static int numberSize(int number) {
    return Math.max(1, (38 - Integer.numberOfLeadingZeros(number)) / 7);
  }

  private static int readNumber(ByteBuffer in) {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte part = in.get();
      number |= (part & 0x7F) << shift;
      if (part >= 0) {
        return number;
      }
    }
    throw new IllegalStateException("unexpected reply: number of more than five bytes");
  }
}
