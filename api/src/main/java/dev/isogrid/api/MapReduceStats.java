package dev.isogrid.api;

import java.util.List;

/**
 * The work of a map/reduce so far, on all nodes that answered. Immutable. Work that was lost
 * because a node failed or a segment moved is counted too.
 *
 * @param segmentsDone the number of finished segments
 * @param segmentsTotal the number of segments to map; it grows if a reducing node fails
 * @param segmentsRepeated the number of times that a segment had to be mapped again
 * @param partitionsLost the number of partitions of the result that had to be computed again
 * @param mapMillis the time until all was mapped
 * @param reduceMillis the time since then until the result was there
 * @param nodes the nodes' parts, in no order
 * @param losses the reasons for lost time, in words, such as nodes that failed; may be empty
 */
public record MapReduceStats(
    int segmentsDone,
    int segmentsTotal,
    int segmentsRepeated,
    int partitionsLost,
    long mapMillis,
    long reduceMillis,
    List<MapReduceNodeStats> nodes,
    List<String> losses) {
  /** Copies the lists. */
  public MapReduceStats {
    nodes = List.copyOf(nodes);
    losses = List.copyOf(losses);
  }

  /** The entries that were mapped. */
  public long entries() {
    return nodes.stream().mapToLong(MapReduceNodeStats::entries).sum();
  }

  /** The bytes of keys and values that were mapped; 0 in caches that keep objects. */
  public long inputBytes() {
    return nodes.stream().mapToLong(MapReduceNodeStats::inputBytes).sum();
  }

  /** The pairs that mappers emitted. */
  public long pairsEmitted() {
    return nodes.stream().mapToLong(MapReduceNodeStats::pairsEmitted).sum();
  }

  /** The pairs that were left of these after combining, where they were emitted. */
  public long pairsSent() {
    return nodes.stream().mapToLong(MapReduceNodeStats::pairsSent).sum();
  }

  /** The bytes of the pairs that were handed to the reducing nodes, this node's own included. */
  public long bytesSent() {
    return nodes.stream().mapToLong(MapReduceNodeStats::bytesSent).sum();
  }

  /** The bytes that went to disk. */
  public long bytesSpilled() {
    return nodes.stream().mapToLong(MapReduceNodeStats::bytesSpilled).sum();
  }

  /** The keys of the result; 0 until it is taken. */
  public long distinctKeys() {
    return nodes.stream().mapToLong(MapReduceNodeStats::distinctKeys).sum();
  }

  /** How many emitted pairs became one that was sent; 1 if nothing was emitted. */
  public double reductionRatio() {
    long sent = pairsSent();
    return sent == 0 ? 1 : (double) pairsEmitted() / sent;
  }

  /**
   * How unevenly the pairs are spread over the partitions of the result: the bytes of the largest
   * one, divided by the mean of all. 1 means evenly, or no pairs yet; the maximum is the number of
   * partitions.
   */
  public double skew() {
    long max = nodes.stream().mapToLong(MapReduceNodeStats::partitionBytesMax).max().orElse(0);
    long sum = nodes.stream().mapToLong(MapReduceNodeStats::bytesReceived).sum();
    long partitions = nodes.stream().mapToLong(MapReduceNodeStats::partitions).sum();
    return sum == 0 ? 1 : (double) max * partitions / sum;
  }

  /**
   * How unevenly the mapping is spread over the nodes: the workers' time on the slowest one,
   * divided by the mean of all nodes. 1 means evenly, or nothing mapped yet.
   */
  public double mapSkew() {
    long max = nodes.stream().mapToLong(MapReduceNodeStats::mapNanos).max().orElse(0);
    long sum = nodes.stream().mapToLong(MapReduceNodeStats::mapNanos).sum();
    return sum == 0 ? 1 : (double) max * nodes.size() / sum;
  }
}
