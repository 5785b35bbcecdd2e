package dev.isogrid.server.memcached;

import dev.isogrid.server.net.ByteBufSink;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;

/**
 * Writes the replies of the binary protocol to the current request. For the connection's event
 * loop, or the thread that works for it meanwhile.
 */
final class BinaryReply {
  private static final byte[] NOTHING = {};
  private static final int FLAGS_BYTES = 4;

  private final Output output;
  private final BinaryHeader request;
  private final ByteBufSink sink = new ByteBufSink();

  /**
   * Makes the replies of a connection.
   *
   * @param request the header of the current request
   */
  BinaryReply(Output output, BinaryHeader request) {
    this.output = output;
    this.request = request;
  }

  private ByteBuf begin(Status status, int extras, int key, int bodyLength, long cas) {
    ByteBuf out = output.begin(Math.addExact(BinaryHeader.SIZE, bodyLength));
    out.writeByte(BinaryHeader.REPLY_MAGIC).writeByte(request.opcode()).writeShort(key);
    out.writeByte(extras).writeByte(0).writeShort(status.number());
    out.writeInt(bodyLength).writeInt(request.opaque()).writeLong(cas);
    return out;
  }

  /** Replies that the request was done. */
  void done(long cas) {
    begin(Status.OK, 0, 0, 0, cas);
    output.commit();
  }

  /** Replies with a number. */
  void number(long number, long cas) {
    begin(Status.OK, 0, 0, Long.BYTES, cas).writeLong(number);
    output.commit();
  }

  /** Replies with a status and a value. */
  void value(Status status, byte[] value) {
    begin(status, 0, 0, value.length, 0).writeBytes(value);
    output.commit();
  }

  /** Replies with an error and its default message. */
  void error(Status status) {
    value(status, status.text());
  }

  /** Replies that a key has no entry. */
  void notFound(byte[] key, int length) {
    begin(Status.NOT_FOUND, 0, length, length, 0).writeBytes(key, 0, length);
    output.commit();
  }

  /** Replies with a statistic. */
  void statistic(byte[] name, byte[] value) {
    begin(Status.OK, 0, name.length, name.length + value.length, 0)
        .writeBytes(name)
        .writeBytes(value);
    output.commit();
  }

  /** Ends the statistics. */
  void endOfStatistics() {
    statistic(NOTHING, NOTHING);
  }

  /**
   * Writes the reply with an entry, which can be taken back until the output commits it.
   *
   * @param keyLength the shown length of the key; 0 for none
   * @return its bytes
   */
  int entry(byte[] key, int keyLength, Bytes value, int clientFlags, long cas) {
    int body = Math.addExact(FLAGS_BYTES + keyLength, value.length());
    ByteBuf out = begin(Status.OK, FLAGS_BYTES, keyLength, body, cas);
    out.writeInt(clientFlags).writeBytes(key, 0, keyLength);
    value.writeTo(sink.to(out));
    return BinaryHeader.SIZE + body;
  }
}
