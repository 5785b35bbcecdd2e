package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.TaskKey;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The header of a partition's pairs in a message between nodes, which has one or more of these.
 *
 * <pre>
 *   task: 16 bytes   node's number: 4   round: 4   partition: 4   attempt: 8   length: 4   pairs
 * </pre>
 *
 * @param length of the pairs, in bytes
 */
record DataHead(UUID task, int number, int round, int partition, long attempt, int length) {
  static final int BYTES = 40;

  void write(PairBytes out) {
    out.writeLong(task.getMostSignificantBits());
    out.writeLong(task.getLeastSignificantBits());
    out.writeLong(((long) number << 32) | round);
    out.writeLong(((long) partition << 32) | (attempt >>> 32));
    out.writeLong((attempt << Integer.SIZE) | length);
  }

  /**
   * Parses the header at an offset.
   *
   * @throws IllegalArgumentException if the message ends before its pairs do
   */
  static DataHead read(byte[] message, int offset) {
    int rest = message.length - offset - BYTES;
    if (rest >= 0) {
      ByteBuffer in = ByteBuffer.wrap(message, offset, BYTES);
      UUID task = new UUID(in.getLong(), in.getLong());
      DataHead head =
          new DataHead(task, in.getInt(), in.getInt(), in.getInt(), in.getLong(), in.getInt());
      if (head.length >= 0 && head.length <= rest) {
        return head;
      }
    }
    throw new IllegalArgumentException(
        "pairs are cut: message=%d B, offset=%d".formatted(message.length, offset));
  }

  TaskKey key() {
    return new TaskKey(task, number);
  }
}
