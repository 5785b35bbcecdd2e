package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Answer;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Part;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.mapreduce.Control.Step;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.topology.NodeId;
import dev.isogrid.wire.Segments;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A node's part in a task: maps segments, and reduces partitions. Thread-safe. */
final class NodeTask implements AutoCloseable {
  /*
   * Three kinds of threads meet here. Calls of the node that started the task bring steps: they put
   * segments and attempts to be sent again into queues, and wait a moment for something to tell.
   * Workers of the node's pool take from the queues: each makes one attempt and then lets other
   * tasks have its thread; when nothing is queued, it joins who maps a large value. Calls of other
   * nodes bring pairs, and touch the partitions only. What the first two share is guarded by one
   * lock, which nobody holds while a user's function runs, or while he waits for another node.
   *
   * All that must agree when a task ends is in this class for that reason: what is queued, who
   * works, what is told, and who is to be stopped.
   */
  /** How long an answer waits for something to tell. */
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long a worker waits before it sends again to a node that was busy. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long the end waits for workers, which are interrupted. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long SEND_MILLIS = 60_000;

  /** What part of the memory is for pairs that were sent; what waits to be reduced has the rest. */
  private static final int SENT_PART = 8;

  private final TaskKey key;
  private final TaskSpec spec;
  private final MapSource<?, ?> source;
  private final NodeCalls calls;
  private final NanoClock clock;
  private final ExecutorService pool;
  private final int workersMax;
  private final long memoryMaxBytes;

  /** Where pairs are on their way, or null. */
  private final @Nullable PairCache pairCache;

  private final NodeCounters counters;
  private final @Nullable Map<Integer, List<Object>> keysBySegment;
  private final NodePartitions partitions;
  private final NodeId starter;
  private final SentPairs sent;

  /** The round, and the partitions that nobody sends to. Written under the lock. */
  private volatile @Nullable Round round;

  private volatile Set<Integer> unwanted = Set.of();

  /** Written by {@link #close}. */
  private volatile boolean isClosed;

  /** Written when the one who started it is heard of. */
  private volatile long heardNanos;

  /** Values that workers share: one for each that maps a segment, at most. */
  private final List<SharedValue> shared = new CopyOnWriteArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The fields below are guarded by the lock. */
  private final ArrayDeque<Integer> queue = new ArrayDeque<>();

  private final ArrayDeque<Again> again = new ArrayDeque<>();

  private final List<Attempt> ended = new ArrayList<>();
  private final Set<Integer> notServed = new HashSet<>();
  private final Set<Integer> unreachable = new HashSet<>();
  private final Map<Long, Future<?>> workers = new HashMap<>();

  /** Those of the workers that have a thread, by the lowest numbers that were free. */
  private final Map<Long, Integer> running = new HashMap<>();

  private @Nullable Throwable failure;
  private long lastAttempt;

  /** What a task needs of its node, and who started it. */
  // tidy: where a task is, in one place
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
    this.source = source;
    this.calls = around.calls;
    this.clock = around.clock;
    this.pool = around.pool;
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
            clock);
    this.heardNanos = clock.nanoTime();
    this.keysBySegment = spec.keys() == null ? null : bySegment(source, spec.keys());
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

  // ---- what workers ask

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

  NodeCounters counters() {
    return counters;
  }

  /** Where pairs are put on their way; null if they go straight to who reduces them. */
  @Nullable PairCache pairCache() {
    return pairCache;
  }

  long nanoTime() {
    return clock.nanoTime();
  }

  /** The most that pairs of one worker may take before they are sent: half of all is theirs. */
  long collectorMaxBytes() {
    return memoryMaxBytes / (4L * workersMax);
  }

  /** How many threads map at a time, at most. */
  int workersMax() {
    return workersMax;
  }

  /** Whether there may be somebody to share a value with. */
  boolean mayShare() {
    return workersMax > 1;
  }

  /** Lets workers that have nothing else to do help with a value, now or later. */
  void share(SharedValue value) {
    shared.add(value);
    lock.lock();
    try {
      int idle = Math.min(workersMax - workers.size(), value.content().count() - 1);
      for (; idle > 0 && !isClosed && failure == null; idle--) {
        employ(++lastAttempt);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets nobody join a value any more. */
  void unshare(SharedValue value) {
    shared.remove(value);
  }

  /** The wanted keys of a segment; null for all. */
  @Nullable List<Object> keys(int segment) {
    return keysBySegment == null ? null : keysBySegment.getOrDefault(segment, List.of());
  }

  void checkGoesOn() {
    if (isClosed) {
      throw new StoppedException();
    }
  }

  /** Whether pairs of a partition are still of use. */
  boolean isWanted(Round ofRound, int partition) {
    return ofRound.partitionNodes()[partition] >= 0
        && (unwanted.isEmpty() || !unwanted.contains(partition));
  }

  /** The next segment of a round to be mapped, or null. */
  @Nullable Integer nextSegment(Round ofRound) {
    lock.lock();
    try {
      Round now = round;
      return now != null && now.number() == ofRound.number() ? queue.poll() : null;
    } finally {
      lock.unlock();
    }
  }

  void notServed(int segment) {
    lock.lock();
    try {
      notServed.add(segment);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The node of a partition does not take its pairs. */
  void unreachable(Round ofRound, int partition) {
    lock.lock();
    try {
      Round now = round;
      if (now != null && now.number() == ofRound.number()) {
        unreachable.add(partition);
        Set<Integer> more = new HashSet<>(unwanted);
        more.add(partition);
        unwanted = Set.copyOf(more);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits a moment, or until the task ends. */
  void pause() throws InterruptedException {
    lock.lock();
    try {
      long rest = PAUSE_NANOS;
      while (rest > 0 && !isClosed) {
        rest = changed.awaitNanos(rest);
      }
    } finally {
      lock.unlock();
    }
    checkGoesOn();
  }

  static NodeId node(Round ofRound, int number) {
    return new NodeId(ofRound.nodes()[2 * number], ofRound.nodes()[2 * number + 1]);
  }

  CompletableFuture<ByteString> send(Round ofRound, int node, ByteString message) {
    return calls.call(node(ofRound, node), MapReduceService.DATA, message, SEND_MILLIS);
  }

  /** What was sent to others. */
  SentPairs sent() {
    return sent;
  }

  /**
   * Whether a partition's pairs are kept when they are sent: not those for this node, nor for the
   * one that started the task, without which there is no use for them; nor those in a cache that
   * loses them with the node that they are sent to.
   */
  boolean isKept(Round ofRound, int partition) {
    int number = ofRound.partitionNodes()[partition];
    return number >= 0
        && number != key.number()
        && !node(ofRound, number).equals(starter)
        && (pairCache == null || pairCache.outlivesNode());
  }

  // ---- reducing

  /** What this node reduces. */
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

  /** Goes on, and waits a moment for more to tell, unless all is done or something is wrong. */
  Answer step(Step step) throws InterruptedException {
    heardNanos = clock.nanoTime();
    partitions.decide(step);
    sent.drop(step.dropped());
    lock.lock();
    try {
      adopt(step);
      long rest = ANSWER_NANOS;
      while (rest > 0 && !isClosed && !hasTrouble() && isBusy()) {
        rest = changed.awaitNanos(rest);
      }
      if (isClosed) {
        throw new NoSuchTaskException("task ended: task=" + key.task());
      }
      return answer();
    } finally {
      lock.unlock();
    }
  }

  private boolean isBusy() {
    return !workers.isEmpty() || !queue.isEmpty() || !again.isEmpty();
  }

  private void adopt(Step step) {
    Round now = round;
    if (now == null || now.number() < step.round().number()) {
      round = step.round();
      queue.clear();
      again.clear();
      unreachable.clear();
      unwanted = Set.of();
    }
    if (step.lost().length > 0) {
      Set<Integer> more = new HashSet<>(unwanted);
      Arrays.stream(step.lost()).forEach(more::add);
      unwanted = Set.copyOf(more);
    }
    add(step.work().segments());
    again.addAll(step.work().again());
    int wanted = Math.min(workersMax, queue.size() + again.size());
    while (workers.size() < wanted && !isClosed && failure == null) {
      employ(++lastAttempt);
    }
  }

  private void add(int[] segments) {
    for (int segment : segments) {
      queue.add(segment);
    }
  }

  private boolean hasTrouble() {
    return !notServed.isEmpty() || !unreachable.isEmpty() || failure != null;
  }

  private Answer answer() {
    Answer answer =
        new Answer(
            List.copyOf(ended),
            notServed.stream().mapToInt(Integer::intValue).toArray(),
            unreachable.stream().mapToInt(Integer::intValue).toArray(),
            failure,
            stats());
    ended.clear();
    notServed.clear();
    unreachable.clear();
    return answer;
  }

  MapReduceNodeStats stats() {
    return counters.stats(calls.self().toString(), partitions.all());
  }

  // ---- workers

  /** Begins an attempt on a thread of the pool. With the lock. */
  private void employ(long attempt) {
    workers.put(attempt, pool.submit(() -> work(attempt)));
  }

  private void work(long attempt) {
    int worker = begin(attempt);
    if (worker < 0) {
      return;
    }
    try {
      Round now = round;
      if (now == null || !work(now, ((long) key.number() << 40) | attempt, worker)) {
        MapWorker<?, ?> helper = new MapWorker<>(this, source, worker); // who joins must help
        SharedValue large = shared.stream().filter(SharedValue::tryJoin).findFirst().orElse(null);
        if (large != null) {
          helper.help(large);
        }
      }
    } catch (StoppedException | InterruptedException ended) {
      if (!isClosed) {
        fail(ended);
      }
    } catch (RuntimeException | Error failed) {
      fail(failed);
    } finally {
      end(attempt);
    }
  }

  /** Makes an attempt; false if there is nothing to map, nor to send again. */
  private boolean work(Round now, long number, int worker) throws InterruptedException {
    Again sentBefore = nextAgain(now);
    if (sentBefore != null) {
      tell(PartDelivery.again(this, now, number, sentBefore));
      return true;
    }
    Integer segment = nextSegment(now);
    if (segment != null) {
      tell(new MapWorker<>(this, source, worker).attempt(now, number, segment));
    }
    return segment != null;
  }

  /** What is to be sent again; or null, when its segments may have to be mapped instead. */
  private @Nullable Again nextAgain(Round ofRound) {
    for (Again next = pollAgain(ofRound); next != null; next = pollAgain(ofRound)) {
      boolean isThere =
          sent.has(next.attempt(), ofRound)
              && (pairCache == null || sent.all(next.attempt(), ofRound, pairCache::has));
      if (isThere) {
        return next;
      }
      lock.lock();
      try {
        add(next.segments());
      } finally {
        lock.unlock();
      }
    }
    return null;
  }

  private @Nullable Again pollAgain(Round ofRound) {
    lock.lock();
    try {
      Round now = round;
      return now != null && now.number() == ofRound.number() ? again.poll() : null;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a worker a number; -1 if it is not to begin. */
  private int begin(long attempt) {
    lock.lock();
    try {
      if (!workers.containsKey(attempt)) {
        return -1;
      }
      int free = 0;
      while (running.containsValue(free)) {
        free++;
      }
      running.put(attempt, free);
      return free;
    } finally {
      lock.unlock();
    }
  }

  private void tell(Attempt done) {
    lock.lock();
    try {
      ended.add(done);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the task by a failure, of which the first one counts. */
  void fail(Throwable why) {
    lock.lock();
    try {
      if (failure == null && !isClosed) { // a function that is interrupted has not failed
        failure = why;
        queue.clear();
        again.clear();
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends an attempt, and begins another at the end of the pool's queue if there is more to do. */
  private void end(long attempt) {
    lock.lock();
    try {
      workers.remove(attempt);
      running.remove(attempt);
      boolean isSent = again.isEmpty();
      boolean isMapped = queue.isEmpty() && shared.stream().noneMatch(SharedValue::hasParts);
      if (!(isSent && isMapped) && !isClosed && failure == null) {
        employ(++lastAttempt);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Who started it is alive. */
  void alive() {
    heardNanos = clock.nanoTime();
  }

  /** For how long nobody asked. */
  long idleNanos() {
    return clock.nanoTime() - heardNanos;
  }

  /** Ends all, and frees what was kept. Waits a moment for workers. Twice is harmless. */
  @Override
  public void close() {
    isClosed = true;
    try {
      stopPairCache(0);
      endWorkers();
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

  private void endWorkers() throws InterruptedException {
    lock.lock();
    try {
      queue.clear();
      again.clear();
      changed.signalAll();
      List.copyOf(workers.keySet()).forEach(this::dismiss);
      long rest = END_NANOS;
      while (rest > 0 && !workers.isEmpty()) {
        rest = changed.awaitNanos(rest);
      }
    } finally {
      lock.unlock();
    }
  }

  private void dismiss(long attempt) {
    Future<?> worker = workers.get(attempt);
    if (worker != null) {
      worker.cancel(true);
      if (!running.containsKey(attempt)) {
        workers.remove(attempt);
      }
    }
  }
}
