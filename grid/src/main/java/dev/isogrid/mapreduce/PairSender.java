package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.wire.KeyHash;
import java.util.Arrays;

/**
 * Sends the pairs of one attempt to the nodes that reduce them: sorted, in parts of a bounded size.
 * For one thread.
 */
final class PairSender implements CombiningCollector.Target {
  private static final int PART_BYTES_MIN = 16 << 10;
  private static final int PART_BYTES_MAX = 256 << 10;

  private final NodeTask task;
  private final Round round;
  private final int partBytes;
  private final Buffer[] buffers;

  private final PairBytes scratch = new PairBytes(256);
  private final PartDelivery delivery;

  /** The pairs for one partition. */
  private static final class Buffer {
    final PairBytes pairs = new PairBytes(1 << 10);
    int[] starts = new int[64];
    int count;
  }

  /**
   * Begins an attempt.
   *
   * @param memoryBytes the memory limit of all partitions' buffers together
   */
  PairSender(NodeTask task, Round round, long attempt, long memoryBytes) {
    this.task = task;
    this.round = round;
    this.delivery = new PartDelivery(task, round, attempt, true);
    this.buffers = new Buffer[round.partitionNodes().length];
    this.partBytes = Math.clamp(memoryBytes / buffers.length, PART_BYTES_MIN, PART_BYTES_MAX);
  }

  /** Adds a pair. */
  @Override
  public void add(Object key, Object value) throws InterruptedException {
    scratch.truncate(0);
    PairCodec.write(key, scratch);
    addScratch(value);
  }

  @Override
  public void addText(byte[] utf8, int offset, int length, Object value)
      throws InterruptedException {
    scratch.truncate(0);
    PairCodec.writeText(utf8, offset, length, scratch);
    addScratch(value);
  }

  /** Adds a pair whose key is already in the buffer. */
  private void addScratch(Object value) throws InterruptedException {
    int hash = KeyHash.hash(scratch.array(), 0, scratch.length());
    int partition = Integer.remainderUnsigned(hash, buffers.length);
    if (round.partitionNodes()[partition] < 0) {
      return;
    }
    Buffer buffer = buffers[partition];
    if (buffer == null) {
      buffer = new Buffer();
      buffers[partition] = buffer;
    }
    int at = RunCursor.begin(buffer.pairs);
    buffer.pairs.write(scratch.array(), 0, scratch.length());
    PairCodec.write(value, buffer.pairs);
    RunCursor.end(buffer.pairs, at, hash, scratch.length());
    if (buffer.count == buffer.starts.length) {
      buffer.starts = Arrays.copyOf(buffer.starts, buffer.count * 2);
    }
    buffer.starts[buffer.count++] = at;
    if (buffer.pairs.length() >= partBytes) {
      send(partition, buffer);
    }
  }

  /** Sends the rest, and waits until all pairs have reached their nodes. */
  void finish() throws InterruptedException {
    for (int partition = 0; partition < buffers.length; partition++) {
      Buffer buffer = buffers[partition];
      if (buffer != null && buffer.count > 0) {
        send(partition, buffer);
      }
    }
    delivery.finish();
  }

  /** Ignores all further answers. */
  void abandon() {
    delivery.abandon();
  }

  private void send(int partition, Buffer buffer) throws InterruptedException {
    PairBytes message = delivery.begin(partition, buffer.pairs.length());
    sortInto(buffer, message);
    task.counters().pairsSent.add(buffer.count);
    task.counters().bytesSent.add(buffer.pairs.length());
    buffer.pairs.truncate(0);
    buffer.count = 0;
    delivery.deliver(partition, message);
  }

  private static void sortInto(Buffer buffer, PairBytes target) {
    byte[] array = buffer.pairs.array();
    long[] order = new long[buffer.count];
    for (int i = 0; i < order.length; i++) {
      int start = buffer.starts[i];
      order[i] = ((long) intAt(array, start) << Integer.SIZE) | start;
    }
    Arrays.sort(order);
    for (int from = 0; from < order.length; ) {
      int to = from + 1;
      while (to < order.length && order[to] >> Integer.SIZE == order[from] >> Integer.SIZE) {
        to++;
      }
      sortEqual(array, order, from, to);
      from = to;
    }
    for (long each : order) {
      int start = (int) each;
      int length = RunCursor.HEAD_BYTES + intAt(array, start + 4) + intAt(array, start + 8);
      target.write(array, start, length);
    }
  }

  /** Sorts pairs of one hash by the bytes of their keys, which mostly are one key. */
  private static void sortEqual(byte[] array, long[] order, int from, int to) {
    boolean isSorted = true;
    for (int i = from + 1; i < to && isSorted; i++) {
      isSorted = compareKeys(array, (int) order[i - 1], (int) order[i]) <= 0;
    }
    if (!isSorted) {
      Long[] boxed = Arrays.stream(order, from, to).boxed().toArray(Long[]::new);
      Arrays.sort(boxed, (left, right) -> compareKeys(array, left.intValue(), right.intValue()));
      for (int i = from; i < to; i++) {
        order[i] = boxed[i - from];
      }
    }
  }

  private static int compareKeys(byte[] array, int left, int right) {
    int leftKey = left + RunCursor.HEAD_BYTES;
    int rightKey = right + RunCursor.HEAD_BYTES;
    return Arrays.compareUnsigned(
        array,
        leftKey,
        leftKey + intAt(array, left + 4),
        array,
        rightKey,
        rightKey + intAt(array, right + 4));
  }

  private static int intAt(byte[] array, int at) {
    return RunCursor.intAt(array, at);
  }
}
