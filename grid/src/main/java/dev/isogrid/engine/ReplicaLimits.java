package dev.isogrid.engine;

/**
 * The caps of what one replica keeps in memory besides its entries.
 *
 * @param pending writes that are on their way; further ones wait
 * @param parked operations that wait; further ones are refused
 * @param batch entries in one message
 * @param chunk entries in a part of a copy
 * @param history committed writes that are kept for learners; one that is further behind begins
 *     anew
 * @param unrecorded answers that are remembered by the primary alone
 */
public record ReplicaLimits(
    int pending, int parked, int batch, int chunk, int history, int unrecorded) {
  /** What suits segments of any size. */
  public static ReplicaLimits usual() {
    return new ReplicaLimits(1024, 1024, 64, 512, 4096, 1024);
  }
}
