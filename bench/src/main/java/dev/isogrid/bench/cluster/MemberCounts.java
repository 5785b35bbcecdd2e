package dev.isogrid.bench.cluster;

/**
 * Counts of a process, since it started.
 *
 * @param allocated bytes that its threads allocated on the heap
 * @param messages messages that it sent to other nodes
 * @param bytes bytes of these messages
 * @param lockWaits how often a thread waited for the lock of the node; 0 where nobody counts
 */
record MemberCounts(long allocated, long messages, long bytes, long lockWaits) {
  static final MemberCounts NONE = new MemberCounts(0, 0, 0, 0);

  /** The sum of these and others. */
  MemberCounts plus(MemberCounts other) {
    return new MemberCounts(
        allocated + other.allocated,
        messages + other.messages,
        bytes + other.bytes,
        lockWaits + other.lockWaits);
  }

  /** The difference to earlier ones. */
  MemberCounts since(MemberCounts earlier) {
    return new MemberCounts(
        allocated - earlier.allocated,
        messages - earlier.messages,
        bytes - earlier.bytes,
        lockWaits - earlier.lockWaits);
  }

  /** As numbers in one line. */
  String line() {
    return allocated + " " + messages + " " + bytes + " " + lockWaits;
  }

  /** Those of a {@link #line}. */
  static MemberCounts of(long[] numbers) {
    return new MemberCounts(numbers[0], numbers[1], numbers[2], numbers[3]);
  }
}
