package dev.isogrid.engine;

/**
 * The caps of what replicas remember of operations that were carried out. Bytes are those of {@link
 * Sized}.
 *
 * @param answerBytes of the largest answer that all replicas keep; an operation with a larger one
 *     that is sent again may not get it any more
 * @param segmentBytes of the records of one segment; the oldest are forgotten beyond
 * @param nodeBytes of the records of all segments of a node
 * @param largeBytes of the answers of a node's primaries that are too large for records
 */
public record RecordLimits(int answerBytes, long segmentBytes, long nodeBytes, long largeBytes) {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** Limits for most nodes: some thousand operations of a segment, a fraction of a small heap. */
  public static RecordLimits usual() {
    return new RecordLimits(16 * KIB, 4 * MIB, 64 * MIB, 32 * MIB);
  }
}
