package dev.isogrid.engine;

/**
 * The caps of what one replica keeps in memory besides its entries. Bytes are those of keys, values
 * and results, as {@link Sized} counts them; the last entry may go beyond a number of bytes.
 *
 * @param pending writes that are on their way; further ones wait
 * @param pendingBytes of the writes that are on their way; a new primary sends them in one message
 * @param parked operations that wait; further ones are refused
 * @param batch entries in one message
 * @param batchBytes of the entries in one message
 * @param chunk entries in a part of a copy
 * @param chunkBytes of the entries in a part of a copy
 * @param copyWindowBytes of the parts of copies that are on their way to one node, 1 or more
 * @param history committed writes that are kept for learners; one that is further behind begins
 *     anew
 * @param historyBytes of the committed writes that are kept for learners
 * @param unrecorded answers that are remembered by the primary alone
 * @param records of the operations that were carried out
 */
public record ReplicaLimits(
    int pending,
    long pendingBytes,
    int parked,
    int batch,
    int batchBytes,
    int chunk,
    int chunkBytes,
    int copyWindowBytes,
    int history,
    long historyBytes,
    int unrecorded,
    RecordLimits records) {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** These with the usual limits of records. */
  // tidy: the caps of one replica
  public ReplicaLimits(
      int pending,
      long pendingBytes,
      int parked,
      int batch,
      int batchBytes,
      int chunk,
      int chunkBytes,
      int copyWindowBytes,
      int history,
      long historyBytes,
      int unrecorded) {
    this(
        pending,
        pendingBytes,
        parked,
        batch,
        batchBytes,
        chunk,
        chunkBytes,
        copyWindowBytes,
        history,
        historyBytes,
        unrecorded,
        RecordLimits.usual());
  }

  /**
   * What suits segments of any size. Pending writes fit into one message, with the largest entry as
   * the last one of them.
   */
  public static ReplicaLimits usual() {
    return new ReplicaLimits(
        1024, 12 * MIB, 1024, 64, MIB, 4096, 256 * KIB, 4 * MIB, 4096, 16 * MIB, 1024);
  }
}
