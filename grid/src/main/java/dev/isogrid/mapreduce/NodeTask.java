package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.mapreduce.Control.Answer;
import dev.isogrid.mapreduce.Control.Part;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.mapreduce.Control.Step;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.topology.NodeId;
import dev.isogrid.wire.Segments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node's part in a task, and its environment. Thread-safe. */
final class NodeTask implements AutoCloseable {
  /*
   * Three kinds of threads meet here: calls of the node that started the task, workers, and calls
   * of other nodes, which bring pairs. AttemptScheduler has the shared state of the first two,
   * under its lock, and NodePartitions the state of the last ones. The state here does not change,
   * except for the time of the last contact.
   */

  /** The longest wait of the end for workers, which are interrupted. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long SEND_MILLIS = 60_000;

  /** The share of memory for sent pairs; pairs that wait to be reduced have the rest. */
  private static final int SENT_PART = 8;

  private final TaskKey key;
  private final TaskSpec spec;
  private final NodeCalls calls;
  private final NanoClock clock;
  private final int workersMax;
  private final long memoryMaxBytes;

  /** The cache for pairs on their way, or null. */
  private final @Nullable PairCache pairCache;

  private final NodeCounters counters;
  private final @Nullable Map<Integer, List<Object>> keysBySegment;
  private final NodePartitions partitions;
  private final NodeId starter;
  private final SentPairs sent;
  private final AttemptScheduler attempts;

  /** Written at each contact with the starter. */
  private volatile long heardNanos;

  /** The environment of a task on its node, and its starter. */
  // tidy: the environment of a task, in one place
  record Surroundings(
      NodeId starter,
      NodeCalls calls,
      NanoClock clock,
      ExecutorService pool,
      int workers,
      long memoryMaxBytes,
      @Nullable PairCache pairCache) {}

  NodeTask(TaskKey key, TaskSpec spec, MapSource<?, ?> source, Surroundings around) {
    this.key = key;
    this.spec = spec;
    this.calls = around.calls;
    this.clock = around.clock;
    this.workersMax = around.workers;
    this.counters = new NodeCounters(workersMax);
    this.memoryMaxBytes = around.memoryMaxBytes;
    this.starter = around.starter;
    this.sent = new SentPairs(memoryMaxBytes / SENT_PART, this::isKept);
    this.pairCache = around.pairCache;
    this.partitions =
        new NodePartitions(
            spec.combiner(),
            pairCache,
            memoryMaxBytes / 2 - memoryMaxBytes / SENT_PART,
            counters,
            clock,
            calls.objects());
    this.heardNanos = clock.nanoTime();
    this.keysBySegment = spec.keys() == null ? null : bySegment(source, spec.keys());
    this.attempts = new AttemptScheduler(this, source, around.pool, workersMax);
  }

  private static <S, T> Map<Integer, List<Object>> bySegment(
      MapSource<S, T> source, Set<Object> keys) {
    Segments segments = new Segments(source.engine().segmentCount());
    Map<Integer, List<Object>> sorted = new HashMap<>();
    for (Object key : keys) {
      int hash = source.hash().applyAsInt(source.storedKey().apply(key));
      sorted.computeIfAbsent(segments.of(hash), _ -> new ArrayList<>()).add(key);
    }
    return sorted;
  }

  // ---- queries of workers

  TaskKey key() {
    return key;
  }

  TaskSpec spec() {
    return spec;
  }

  /** The node that started the task. */
  NodeId starter() {
    return starter;
  }

  /** The attempts of this node. */
  AttemptScheduler attempts() {
    return attempts;
  }

  NodeCounters counters() {
    return counters;
  }

  /** The cache for pairs on their way; null if they are sent directly to the reducing nodes. */
  @Nullable PairCache pairCache() {
    return pairCache;
  }

  long nanoTime() {
    return clock.nanoTime();
  }

  /** The most memory of one worker's pairs before they are sent: half of all is for the workers. */
  long collectorMaxBytes() {
    return memoryMaxBytes / (4L * workersMax);
  }

  /** The most threads that map at a time. */
  int workersMax() {
    return workersMax;
  }

  /** Whether there may be other workers to share a value with. */
  boolean mayShare() {
    return workersMax > 1;
  }

  /** The wanted keys of a segment; null for all. */
  @Nullable List<Object> keys(int segment) {
    return keysBySegment == null ? null : keysBySegment.getOrDefault(segment, List.of());
  }

  static NodeId node(Round ofRound, int number) {
    return new NodeId(ofRound.nodes()[2 * number], ofRound.nodes()[2 * number + 1]);
  }

  CompletableFuture<ByteString> send(Round ofRound, int node, ByteString message) {
    return calls.call(node(ofRound, node), MapReduceService.DATA, message, SEND_MILLIS);
  }

  /** The pairs sent to other nodes. */
  SentPairs sent() {
    return sent;
  }

  /** Whether all pairs that an attempt sent to the partitions of a round still exist. */
  boolean hasSent(long attempt, Round ofRound) {
    return sent.has(attempt, ofRound)
        && (pairCache == null || sent.all(attempt, ofRound, pairCache::has));
  }

  /**
   * Whether a partition's pairs are kept when they are sent. Pairs for this node are not kept. Nor
   * are pairs for the node that started the task, without which they are useless, nor those in a
   * cache that loses them with their receiver.
   */
  boolean isKept(Round ofRound, int partition) {
    int number = ofRound.partitionNodes()[partition];
    return number >= 0
        && number != key.number()
        && !node(ofRound, number).equals(starter)
        && (pairCache == null || pairCache.outlivesNode());
  }

  // ---- reducing

  /** The partitions that this node reduces. */
  NodePartitions partitions() {
    return partitions;
  }

  /** A part of a result; see {@link PartitionStore#part}. */
  ByteString part(Part request, int bytesMin) throws Exception {
    heardNanos = clock.nanoTime();
    PartitionStore store = partitions.of(request.round(), request.partition());
    store.count(request.counting());
    return store.part(request.index(), spec.reducer(), bytesMin);
  }

  // ---- one step

  /** Executes a step, and waits briefly if there is no news yet. */
  Answer step(Step step) throws InterruptedException {
    heardNanos = clock.nanoTime();
    partitions.decide(step);
    sent.drop(step.dropped());
    return attempts.step(step);
  }

  MapReduceNodeStats stats() {
    return counters.stats(calls.names().ofSelf(), partitions.all());
  }

  /** Notes that the starter is alive. */
  void alive() {
    heardNanos = clock.nanoTime();
  }

  /** The time since the last contact. */
  long idleNanos() {
    return clock.nanoTime() - heardNanos;
  }

  /** Ends everything, and frees kept pairs. Waits briefly for workers. Twice is harmless. */
  @Override
  public void close() {
    attempts.close();
    try {
      stopPairCache(0);
      attempts.endWorkers(END_NANOS);
      stopPairCache(END_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    partitions.close();
    sent.close();
  }

  private void stopPairCache(long nanosMax) throws InterruptedException {
    if (pairCache != null) {
      pairCache.stop(nanosMax);
    }
  }
}
