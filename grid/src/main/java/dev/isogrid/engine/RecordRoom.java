package dev.isogrid.engine;

/** What the records of operations of all segments of a node take, and may take. Not thread-safe. */
final class RecordRoom {
  private final RecordLimits limits;
  private final boolean refusesForgotten;
  private long bytes;

  /**
   * Room without records.
   *
   * @param refusesForgotten whether an operation whose record was forgotten is refused, as it must
   */
  RecordRoom(RecordLimits limits, boolean refusesForgotten) {
    this.limits = limits;
    this.refusesForgotten = refusesForgotten;
  }

  /** Returns room without bounds. */
  static RecordRoom unbounded() {
    return new RecordRoom(
        new RecordLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE), true);
  }

  /** A segment takes more than before, or less. */
  void add(long more) {
    bytes += more;
  }

  /** Returns whether a segment that takes so much has to forget records. */
  boolean isExceeded(long tableBytes) {
    return tableBytes > limits.segmentBytes() || bytes > limits.nodeBytes();
  }

  boolean refusesForgotten() {
    return refusesForgotten;
  }

  /** Returns about what the records of all segments take. */
  long bytes() {
    return bytes;
  }
}
