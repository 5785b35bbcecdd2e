package dev.isogrid.bench.neighbours;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A minimal Hot Rod client of the oldest version, with one request at a time. */
final class SmallClient implements AutoCloseable {
  private static final int INPUT_SIZE = 1 << 16;

  private static final int MORE_BITS = 0x80;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final byte[] skipped = new byte[INPUT_SIZE];
  private final ByteArrayOutputStream request = new ByteArrayOutputStream();
  private final String cache;

  SmallClient(int port, String cache) throws IOException {
    this.cache = cache;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), INPUT_SIZE));
    this.out = socket.getOutputStream();
  }

  static byte[] key(int number) {
    return ("key-" + number).getBytes(StandardCharsets.US_ASCII);
  }

  private void vInt(int value) {
    int rest = value;
    while (rest >= MORE_BITS) {
      request.write(rest | MORE_BITS);
      rest >>>= 7;
    }
    request.write(rest);
  }

  private void bytes(byte[] bytes) {
    vInt(bytes.length);
    request.writeBytes(bytes);
  }

  private void begin(int operation) {
    request.reset();
    request.write(HotRod.REQUEST_MAGIC);
    request.write(1); // message id
    request.write(Versions.OLDEST);
    request.write(operation);
    bytes(cache.getBytes(StandardCharsets.US_ASCII));
    request.write(0); // flags
    request.write(1); // a client that knows one server
    request.write(0); // topology
  }

  private int readVInt() throws IOException {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.readUnsignedByte();
      value |= (next & 0x7F) << shift;
      if (next < MORE_BITS) {
        return value;
      }
    }
  }

  private void skipBytes() throws IOException {
    for (int rest = readVInt(); rest > 0; ) {
      int part = Math.min(rest, skipped.length);
      in.readFully(skipped, 0, part);
      rest -= part;
    }
  }

  /** Sends the request and reads the header of the answer. */
  private int call() throws IOException {
    request.writeTo(out);
    if (in.readUnsignedByte() != HotRod.RESPONSE_MAGIC || in.readUnsignedByte() != 1) {
      throw new IOException("no answer to the request");
    }
    int operation = in.readUnsignedByte();
    int status = in.readUnsignedByte();
    in.readUnsignedByte(); // no topology
    if (operation == Opcodes.ERROR) {
      byte[] message = new byte[readVInt()];
      in.readFully(message);
      throw new IOException("refused: " + new String(message, StandardCharsets.UTF_8));
    }
    return status;
  }

  /** Reads one entry and ignores the value. */
  void get(int number) throws IOException {
    begin(Opcodes.GET);
    bytes(key(number));
    if (call() == 0) {
      skipBytes();
    }
  }

  /** Stores entries of consecutive numbers. */
  void putAll(int from, int count, byte[] value) throws IOException {
    begin(Opcodes.PUT_ALL);
    vInt(0);
    vInt(0);
    vInt(count);
    for (int i = from; i < from + count; i++) {
      bytes(key(i));
      bytes(value);
    }
    call();
  }

  /** Reads entries of consecutive numbers; returns how many exist. */
  int getAll(int from, int count) throws IOException {
    begin(Opcodes.GET_ALL);
    vInt(count);
    for (int i = from; i < from + count; i++) {
      bytes(key(i));
    }
    call();
    int found = readVInt();
    for (int i = 0; i < 2 * found; i++) {
      skipBytes();
    }
    return found;
  }

  /** Reads all keys, with or without their values; returns how many exist. */
  int bulkGet(boolean withValues) throws IOException {
    begin(withValues ? Opcodes.BULK_GET : Opcodes.BULK_GET_KEYS);
    vInt(0);
    call();
    int found = 0;
    for (; in.readUnsignedByte() == 1; found++) {
      skipBytes();
      if (withValues) {
        skipBytes();
      }
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
