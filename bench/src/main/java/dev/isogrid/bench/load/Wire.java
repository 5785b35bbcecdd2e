package dev.isogrid.bench.load;

import java.nio.ByteBuffer;

/** A protocol, as far as a load needs it. One object per connection; not thread-safe. */
public interface Wire {
  /** Bytes of a request besides key and value, at most. */
  int OVERHEAD_SIZE_MAX = 128;

  /** Appends a request that reads a value. */
  void writeGet(ByteBuffer out, byte[] key);

  /** Appends a request that stores a value. */
  void writePut(ByteBuffer out, byte[] key, byte[] value);

  /** Appends what has to follow the last request of a batch. */
  default void endBatch(ByteBuffer out) {}

  /**
   * Consumes one reply.
   *
   * @param in the received bytes; on false its position is undefined
   * @param valueSize the size of the value of a get
   * @return whether the complete reply had arrived
   * @throws IllegalStateException if the reply reports anything but success
   */
  boolean readReply(ByteBuffer in, Operation operation, int valueSize);
}
