package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * A value that a server keeps for one connection, to be read or written portion by portion.
 * Immutable.
 *
 * @param format of the request that began it
 * @param connection the only one that the server knows it from
 * @param id the server's number of it
 */
record ValueStream(RequestFormat format, Connection connection, int id) {
  private Router router() {
    return connection.link().router();
  }

  /** Asks for the next portion. */
  Operation<Portion> next() {
    return router().sendBound(new Next(this));
  }

  /**
   * Sends a portion.
   *
   * @param bytes borrowed until it is answered
   * @param length the number of bytes, 1 or more
   * @param isLast whether it is the last one: then the value is stored
   * @return the status; after the last portion it shows whether the value was stored
   */
  Operation<Integer> write(byte[] bytes, int length, boolean isLast) {
    return router().sendBound(new Write(this, bytes, length, isLast));
  }

  /** Ends a read at the server, without waiting for it. */
  void endRead() {
    end(Opcodes.END_GET_STREAM);
  }

  /** Ends a write at the server, which drops the value, without waiting for it. */
  void endWrite() {
    end(Opcodes.END_PUT_STREAM);
  }

  /** If it fails, the stream is gone with the connection, or the server gives it up in time. */
  private void end(int opcode) {
    router().sendLastBound(new End(this, opcode));
  }

  /** A request about a stream. Its body begins with the stream's id. */
  private abstract static class Request<T extends @Nullable Object> extends Operation<T> {
    private final ValueStream stream;

    Request(ValueStream stream) {
      super(stream.format);
      this.stream = stream;
    }

    @Override
    public final Connection pinned() {
      return stream.connection;
    }

    @Override
    final boolean isRetryable() {
      return false;
    }

    @Override
    void encode(RequestWriter out) {
      out.i32(stream.id);
    }
  }

  private static final class Next extends Request<Portion> {
    Next(ValueStream stream) {
      super(stream);
    }

    @Override
    int opcode() {
      return Opcodes.NEXT_GET_STREAM;
    }

    @Override
    Portion decode(ResponseReader in, int status) {
      in.i32();
      boolean isLast = in.u8() != 0;
      return new Portion(in.bytes(), isLast);
    }
  }

  private static final class Write extends Request<Integer> {
    private final byte[] bytes;
    private final int length;
    private final boolean isLast;

    Write(ValueStream stream, byte[] bytes, int length, boolean isLast) {
      super(stream);
      this.bytes = bytes;
      this.length = length;
      this.isLast = isLast;
    }

    @Override
    int opcode() {
      return Opcodes.NEXT_PUT_STREAM;
    }

    @Override
    int size() {
      return length;
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      out.u8(isLast ? 1 : 0);
      out.bytes(bytes, length);
    }

    @Override
    Integer decode(ResponseReader in, int status) {
      return status;
    }
  }

  private static final class End extends Request<@Nullable Void> {
    private final int opcode;

    End(ValueStream stream, int opcode) {
      super(stream);
      this.opcode = opcode;
    }

    @Override
    int opcode() {
      return opcode;
    }

    @Override
    @Nullable Void decode(ResponseReader in, int status) {
      return null;
    }
  }
}
