package dev.isogrid.mapreduce;

import dev.isogrid.codec.ByteString;
import dev.isogrid.mapreduce.Control.TaskKey;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What is before the pairs that a node sends to another.
 *
 * <pre>
 *   task: 16 bytes   node's number: 4   round: 4   partition: 4   attempt: 8   pairs: the rest
 * </pre>
 */
record DataHead(UUID task, int number, int round, int partition, long attempt) {
  static final int BYTES = 36;

  void write(PairBytes out) {
    out.writeLong(task.getMostSignificantBits());
    out.writeLong(task.getLeastSignificantBits());
    out.writeLong(((long) number << 32) | round);
    out.writeLong(((long) partition << 32) | (attempt >>> 32));
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write((int) (attempt >>> shift));
    }
  }

  static DataHead read(ByteString message) {
    ByteBuffer in = message.asReadOnlyBuffer();
    UUID task = new UUID(in.getLong(), in.getLong());
    return new DataHead(task, in.getInt(), in.getInt(), in.getInt(), in.getLong());
  }

  TaskKey key() {
    return new TaskKey(task, number);
  }
}
