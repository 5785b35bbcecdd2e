package dev.isogrid.api;

import java.io.Serializable;
import java.util.List;

/**
 * What one node has done for a map/reduce. Immutable.
 *
 * @param node what the node is called among nodes
 * @param entries the entries that it mapped
 * @param inputBytes their keys and values in bytes; 0 in caches that keep objects
 * @param pairsEmitted the pairs that its mappers emitted
 * @param pairsSent the pairs that were left after combining
 * @param bytesSent the bytes of these
 * @param bytesSpilled the bytes that it wrote to disk
 * @param distinctKeys the keys that it reduced
 * @param mapNanos the time of its workers that mapped, in all, waits for others included
 * @param sendWaitNanos of these, the time that they waited for those who reduce
 * @param mergeNanos the time that merging pairs and writing them to disk took
 * @param workers how many threads map
 * @param collectorKeysMax how many keys a collector may have now
 * @param tuning why that many, in words
 * @param workerNanos {@code mapNanos} by worker: as many as {@code workers}; a thread counts as the
 *     first of them that has nothing to do when the thread begins
 * @param partitions how many partitions of the result it reduces: all of them when the result was
 *     taken, before that those that pairs came for
 * @param bytesReceived the bytes of the pairs that came for these, from this node as well
 * @param partitionBytesMax of these, the bytes of the partition that got the most
 */
public record MapReduceNodeStats(
    String node,
    long entries,
    long inputBytes,
    long pairsEmitted,
    long pairsSent,
    long bytesSent,
    long bytesSpilled,
    long distinctKeys,
    long mapNanos,
    long sendWaitNanos,
    long mergeNanos,
    int workers,
    int collectorKeysMax,
    String tuning,
    List<Long> workerNanos,
    int partitions,
    long bytesReceived,
    long partitionBytesMax)
    implements Serializable {
  /** Copies the list. */
  public MapReduceNodeStats {
    workerNanos = List.copyOf(workerNanos);
  }
}
