package dev.isogrid.bench.load;

import java.nio.ByteBuffer;

/** A protocol, as far as a load needs it. One for each connection; not thread-safe. */
public interface Wire {
  /** Bytes of a request besides key and value, at most. */
  int OVERHEAD_SIZE_MAX = 128;

  /** Appends a request that reads a value. */
  void writeGet(ByteBuffer out, byte[] key);

  /** Appends a request that stores a value. */
  void writePut(ByteBuffer out, byte[] key, byte[] value);

  /**
   * Consumes one reply.
   *
   * @param in what arrived; on false its position is anywhere
   * @param valueSize the bytes that the value of a get has
   * @return whether the reply was there as a whole
   * @throws IllegalStateException if the reply says anything but that all went well
   */
  boolean readReply(ByteBuffer in, Operation operation, int valueSize);
}
