package dev.isogrid.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The classic text commands of memcached: get and set. */
public final class MemcachedWire implements Wire {
  private static final byte[] GET = ascii("get ");
  private static final byte[] SET = ascii("set ");
  private static final byte[] LINE_END = ascii("\r\n");
  private static final byte[] STORED = ascii("STORED\r\n");
  private static final byte[] AFTER_VALUE = ascii("\r\nEND\r\n");
  private static final byte[] VALUE = ascii("VALUE ");

  private final byte[] setTail;

  /** Makes one end of a connection for values of one size. */
  public MemcachedWire(int valueSize) {
    setTail = ascii(" 0 0 " + valueSize + "\r\n");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void writeGet(ByteBuffer out, byte[] key) {
    out.put(GET).put(key).put(LINE_END);
  }

  @Override
  public void writePut(ByteBuffer out, byte[] key, byte[] value) {
    out.put(SET).put(key).put(setTail).put(value).put(LINE_END);
  }

  @Override
  public boolean readReply(ByteBuffer in, Operation operation, int valueSize) {
    if (operation == Operation.PUT) {
      return Replies.expect(in, STORED);
    }
    if (!Replies.expect(in, VALUE)) {
      return false;
    }
    int lineEnd = Replies.lineEnd(in);
    if (lineEnd < 0 || in.limit() - lineEnd < valueSize + AFTER_VALUE.length) {
      return false;
    }
    in.position(lineEnd + valueSize);
    return Replies.expect(in, AFTER_VALUE);
  }
}
