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
 * in the form of the built-in marshaller, so that users who look at the cache see something.
 *
 * <pre>
 *   key:                  head 2   magic 16   task 16   attempt 8   part 4   place 4
 *   value:                head 2 to 6   pairs
 *   reference, in a message: length of the value 4   length of the pairs 4   key
 * </pre>
 *
 * The magic tells such a key from those of users, the place is chosen for the node that the entry
 * is to be on.
 *
 * @param valueBytes the length of the value
 * @param bytes the length of the pairs, which are its end
 */
record PairEntry(ByteString key, int valueBytes, int bytes) {
  private static final long MAGIC_HIGH = 0x1503_D1A5_9A12_5E17L;
  private static final long MAGIC_LOW = 0x8C6F_20B4_73E9_FD0AL;

  /** A key of no task. */
  private static final byte[] FORM = form();

  private static final int TASK_OFFSET = FORM.length - 32;
  private static final int ATTEMPT_OFFSET = FORM.length - 16;
  private static final int PART_OFFSET = FORM.length - 8;
  private static final int PLACE_OFFSET = FORM.length - 4;

  /** Places that are tried: a node that has few segments is found, one without is not. */
  private static final int PLACES_MAX = 2000;

  private static byte[] form() {
    ByteBuffer content = ByteBuffer.allocate(48).putLong(MAGIC_HIGH).putLong(MAGIC_LOW);
    return ScalarMarshaller.INSTANCE.toBytes(content.array());
  }

  /**
   * An entry that is not there yet.
   *
   * @param cache where it is to be
   * @param near the node that is to be its primary, if that has a segment
   * @param part what tells it from all others of the task
   * @param pairs in the form that {@link #value} gave them
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

  /** Chooses a segment of a node; if there is none, one that is not without a node. */
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
   * Tells a part from all others of its task.
   *
   * @param attempt a number that no other node has
   * @param number one that no other part of the attempt has
   * @param bytes the length of its pairs
   */
  record Part(long attempt, int number, int bytes) {}

  private static void putTask(UUID task, ByteBuffer key) {
    key.putLong(TASK_OFFSET, task.getMostSignificantBits());
    key.putLong(TASK_OFFSET + Long.BYTES, task.getLeastSignificantBits());
  }

  /** The value that some pairs become. */
  static Bytes value(byte[] pairs) {
    return Bytes.of(ScalarMarshaller.INSTANCE.toBytes(pairs));
  }

  /** What the keys of a task begin with, for {@link #isOf}. */
  static byte[] prefix(UUID task) {
    byte[] key = FORM.clone();
    putTask(task, ByteBuffer.wrap(key));
    return Arrays.copyOf(key, ATTEMPT_OFFSET);
  }

  /** Whether a key is that of an entry of a task. */
  static boolean isOf(byte[] prefix, BinaryKey key) {
    return key.length() == FORM.length
        && Arrays.equals(key.toByteArray(), 0, prefix.length, prefix, 0, prefix.length);
  }

  /** The key as caches are asked with it; a new one. */
  BinaryKey binaryKey() {
    return BinaryKey.of(key.toByteArray());
  }

  /** Where in the value the pairs begin. */
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

  /** The entry that a reference, which ends an array, is to. */
  static PairEntry read(byte[] array, int from) {
    ByteBuffer in = ByteBuffer.wrap(array, from, array.length - from);
    int valueBytes = in.getInt();
    int bytes = in.getInt();
    return new PairEntry(
        ByteString.copyOf(array, in.position(), in.remaining()), valueBytes, bytes);
  }
}
