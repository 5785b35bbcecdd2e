package dev.isogrid.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The classic text commands of memcached, where gets that follow each other ask for their keys by
 * one command. Each key must have an entry.
 */
public final class MultiGetWire implements Wire {
  private static final byte[] GET = ascii("get");
  private static final byte[] LINE_END = ascii("\r\n");
  private static final byte[] END = ascii("END\r\n");
  private static final byte[] VALUE = ascii("VALUE ");
  private static final byte[] STORED = ascii("STORED\r\n");

  private final MemcachedWire single;
  private boolean isOpen;

  /** Makes one end of a connection for values of one size. */
  public MultiGetWire(int valueSize) {
    single = new MemcachedWire(valueSize);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void writeGet(ByteBuffer out, byte[] key) {
    if (!isOpen) {
      out.put(GET);
      isOpen = true;
    }
    out.put((byte) ' ').put(key);
  }

  @Override
  public void writePut(ByteBuffer out, byte[] key, byte[] value) {
    endBatch(out);
    single.writePut(out, key, value);
  }

  @Override
  public void endBatch(ByteBuffer out) {
    if (isOpen) {
      out.put(LINE_END);
      isOpen = false;
    }
  }

  /** The end of a list of values is read with the reply that follows it. */
  @Override
  public boolean readReply(ByteBuffer in, Operation operation, int valueSize) {
    if (in.hasRemaining() && in.get(in.position()) == END[0] && !Replies.expect(in, END)) {
      return false;
    }
    if (operation == Operation.PUT) {
      return Replies.expect(in, STORED);
    }
    if (!Replies.expect(in, VALUE)) {
      return false;
    }
    int lineEnd = Replies.lineEnd(in);
    if (lineEnd < 0 || in.limit() - lineEnd < valueSize + LINE_END.length) {
      return false;
    }
    in.position(lineEnd + valueSize);
    return Replies.expect(in, LINE_END);
  }
}
