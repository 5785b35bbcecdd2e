package dev.isogrid.api;

import java.io.Serializable;
import java.util.List;

/**
 * The part of one node in a map/reduce. Immutable.
 *
 * @param node the node's name among nodes
 * @param entries the entries that it mapped
 * @param inputBytes their keys and values in bytes; 0 in caches that keep objects
 * @param pairsEmitted the pairs that its mappers emitted
 * @param pairsSent the pairs that were left after combining
 * @param bytesSent the bytes of these
 * @param bytesSpilled the bytes that it wrote to disk
 * @param distinctKeys the keys that it reduced
 * @param mapNanos the total time of its workers for mapping, including waits for others
 * @param sendWaitNanos the part of it in which they waited for the reducing nodes
 * @param mergeNanos the time that merging pairs and writing them to disk took
 * @param workers the number of mapping threads
 * @param collectorKeysMax the most keys that a collector may hold now
 * @param tuning the reason for that number, in words
 * @param workerNanos {@code mapNanos} by worker: as many as {@code workers}; a thread counts as the
 *     first of them that has nothing to do when the thread begins
 * @param partitions how many partitions of the result it reduces: all of them once the result is
 *     taken, before that only those with pairs
 * @param bytesReceived the bytes of the pairs for these partitions, this node's own included
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
