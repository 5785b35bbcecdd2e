package dev.isogrid.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Single entries over HTTP 1.1 on persistent connections: GET and PUT. */
public final class RestWire implements Wire {
  private static final byte[] GET = ascii("GET ");
  private static final byte[] PUT = ascii("PUT ");
  private static final byte[] GET_HEAD_END = ascii(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
  private static final byte[] HEAD_END = ascii("\r\n\r\n");
  private static final byte[] OK = ascii("HTTP/1.1 200");
  private static final byte[] NO_CONTENT = ascii("HTTP/1.1 204");

  private final byte[] path;
  private final byte[] putHeadEnd;

  /** Makes one end of a connection, for a cache and values of one size. */
  public RestWire(String cacheName, int valueSize) {
    path = ascii("/rest/v2/caches/" + cacheName + "/");
    putHeadEnd =
        ascii(
            " HTTP/1.1\r\n"
                + "Host: localhost\r\n"
                + "Content-Type: application/octet-stream\r\n"
                + "Content-Length: "
                + valueSize
                + "\r\n\r\n");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void writeGet(ByteBuffer out, byte[] key) {
    out.put(GET).put(path).put(key).put(GET_HEAD_END);
  }

  @Override
  public void writePut(ByteBuffer out, byte[] key, byte[] value) {
    out.put(PUT).put(path).put(key).put(putHeadEnd).put(value);
  }

  @Override
  public boolean readReply(ByteBuffer in, Operation operation, int valueSize) {
    int bodySize = operation == Operation.GET ? valueSize : 0;
    if (!Replies.expect(in, operation == Operation.GET ? OK : NO_CONTENT)) {
      return false;
    }
    int bodyStart = headEnd(in);
    if (bodyStart < 0 || in.limit() - bodyStart < bodySize) {
      return false;
    }
    in.position(bodyStart + bodySize);
    return true;
  }

  /** The position after the next empty line, or -1 if there is none. */
  private static int headEnd(ByteBuffer in) {
    for (int i = in.position(); i <= in.limit() - HEAD_END.length; i++) {
      if (in.get(i) == '\r'
          && in.get(i + 1) == '\n'
          && in.get(i + 2) == '\r'
          && in.get(i + 3) == '\n') {
        return i + HEAD_END.length;
      }
    }
    return -1;
  }
}
