package dev.isogrid.mapreduce;

import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.NodeId;
import dev.isogrid.wire.KeyHash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/**
 * A part of the pairs of a task as an entry of a cache. Its key and its value are arrays of bytes
 * in the form of the built-in marshaller, so that users can inspect them in the cache.
 *
 * <pre>
 *   key:                  head 2   magic 16   task 16   attempt 8   part 4   place 4
 *   value:                head 2 to 6   pairs
 *   reference, in a message: length of the value 4   length of the pairs 4   key
 * </pre>
 *
 * The magic distinguishes such a key from those of users. The place is chosen so that the entry is
 * on a certain node.
 *
 * @param valueBytes the length of the value
 * @param bytes the length of the pairs, which are its end
 */
record PairEntry(ByteString key, int valueBytes, int bytes) {
  private static final long MAGIC_HIGH = 0x1503_D1A5_9A12_5E17L;
  private static final long MAGIC_LOW = 0x8C6F_20B4_73E9_FD0AL;

  /** The form of a key without a task. */
  private static final byte[] FORM = form();

  private static final int TASK_OFFSET = FORM.length - 32;
  private static final int ATTEMPT_OFFSET = FORM.length - 16;
  private static final int PART_OFFSET = FORM.length - 8;
  private static final int PLACE_OFFSET = FORM.length - 4;

  /** The most places to try: enough to find a node with few segments. */
  private static final int PLACES_MAX = 2000;

  private static byte[] form() {
    ByteBuffer content = ByteBuffer.allocate(48).putLong(MAGIC_HIGH).putLong(MAGIC_LOW);
    return ScalarMarshaller.INSTANCE.toBytes(content.array());
  }

  /**
   * A new entry.
   *
   * @param cache the cache of the entry
   * @param near the wanted primary, if it has a segment
   * @param part identifies it within the task
   * @param pairs in the form of {@link #value}
   */
  static PairEntry of(
      CacheEngine<BinaryKey, Bytes> cache, NodeId near, UUID task, Part part, Bytes pairs) {
    byte[] key = FORM.clone();
    ByteBuffer content = ByteBuffer.wrap(key);
    putTask(task, content);
    content.putLong(ATTEMPT_OFFSET, part.attempt).putInt(PART_OFFSET, part.number);
    if (cache.isClustered()) {
      choosePlace(cache, near, key);
    }
    return new PairEntry(ByteString.of(key), pairs.length(), part.bytes);
  }

  /** Chooses a segment of a node; if it has none, any segment with a node. */
  private static void choosePlace(CacheEngine<BinaryKey, Bytes> cache, NodeId near, byte[] key) {
    ByteBuffer content = ByteBuffer.wrap(key);
    int usable = 0;
    for (int place = PLACES_MAX; place > 0; place--) {
      content.putInt(PLACE_OFFSET, place);
      NodeId primary = cache.primary(cache.segmentOf(KeyHash.hash(key)));
      if (near.equals(primary)) {
        return;
      }
      usable = primary == null ? usable : place;
    }
    content.putInt(PLACE_OFFSET, usable);
  }

  /**
   * Identifies a part within its task.
   *
   * @param attempt a number that no other node has
   * @param number a number that no other part of the attempt has
   * @param bytes the length of its pairs
   */
  record Part(long attempt, int number, int bytes) {}

  private static void putTask(UUID task, ByteBuffer key) {
    key.putLong(TASK_OFFSET, task.getMostSignificantBits());
    key.putLong(TASK_OFFSET + Long.BYTES, task.getLeastSignificantBits());
  }

  /** The value of some pairs. */
  static Bytes value(byte[] pairs) {
    return Bytes.of(ScalarMarshaller.INSTANCE.toBytes(pairs));
  }

  /** The prefix of a task's keys, for {@link #isOf}. */
  static byte[] prefix(UUID task) {
    byte[] key = FORM.clone();
    putTask(task, ByteBuffer.wrap(key));
    return Arrays.copyOf(key, ATTEMPT_OFFSET);
  }

  /** Whether a key belongs to an entry of a task. */
  static boolean isOf(byte[] prefix, BinaryKey key) {
    return key.length() == FORM.length
        && Arrays.equals(key.toByteArray(), 0, prefix.length, prefix, 0, prefix.length);
  }

  /** The key for requests to the cache; a new object. */
  BinaryKey binaryKey() {
    return BinaryKey.of(key.toByteArray());
  }

  /** The position of the pairs in the value. */
  int offset() {
    return valueBytes - bytes;
  }

  /** The number of the attempt that made it. */
  long attempt() {
    return key.asReadOnlyBuffer().getLong(ATTEMPT_OFFSET);
  }

  /** Appends the reference. */
  void write(PairBytes out) {
    out.writeLong(((long) valueBytes << Integer.SIZE) | bytes);
    byte[] array = key.toByteArray();
    out.write(array, 0, array.length);
  }

  /** Parses the reference at the end of an array. */
  static PairEntry read(byte[] array, int from) {
    ByteBuffer in = ByteBuffer.wrap(array, from, array.length - from);
    int valueBytes = in.getInt();
    int bytes = in.getInt();
    return new PairEntry(
        ByteString.copyOf(array, in.position(), in.remaining()), valueBytes, bytes);
  }
}
