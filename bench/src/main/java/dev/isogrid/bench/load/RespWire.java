package dev.isogrid.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The protocol of Redis, version 2: GET and SET. */
public final class RespWire implements Wire {
  private static final byte[] GET = ascii("*2\r\n$3\r\nGET\r\n$");
  private static final byte[] SET = ascii("*3\r\n$3\r\nSET\r\n$");
  private static final byte[] LINE_END = ascii("\r\n");
  private static final byte[] OK = ascii("+OK\r\n");

  private final byte[] beforeValue;
  private final byte[] valueHead;

  /** Makes one end of a connection for values of one size. */
  public RespWire(int valueSize) {
    beforeValue = ascii("\r\n$" + valueSize + "\r\n");
    valueHead = ascii("$" + valueSize + "\r\n");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void writeGet(ByteBuffer out, byte[] key) {
    out.put(GET);
    writeKey(out, key);
    out.put(LINE_END);
  }

  @Override
  public void writePut(ByteBuffer out, byte[] key, byte[] value) {
    out.put(SET);
    writeKey(out, key);
    out.put(beforeValue).put(value).put(LINE_END);
  }

  private static void writeKey(ByteBuffer out, byte[] key) {
    if (key.length >= 10) {
      out.put((byte) ('0' + key.length / 10));
    }
    out.put((byte) ('0' + key.length % 10)).put(LINE_END).put(key);
  }

  @Override
  public boolean readReply(ByteBuffer in, Operation operation, int valueSize) {
    if (operation == Operation.PUT) {
      return Replies.expect(in, OK);
    }
    if (!Replies.expect(in, valueHead) || in.remaining() < valueSize + LINE_END.length) {
      return false;
    }
    in.position(in.position() + valueSize);
    return Replies.expect(in, LINE_END);
  }
}
