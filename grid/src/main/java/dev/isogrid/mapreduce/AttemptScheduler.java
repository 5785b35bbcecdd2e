package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Answer;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.mapreduce.Control.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a node is to map of a task and to send again, the workers that do it, and what is to be told
 * of it. Thread-safe.
 */
final class AttemptScheduler {
  /*
   * Calls of the node that started the task bring steps: they put segments and attempts to be sent
   * again into queues, and wait a moment for more to tell. Workers of the node's pool take
   * from the queues: each makes one attempt and then lets other tasks have its thread; when nothing
   * is queued, it joins who maps a large value.
   *
   * All that must agree when a task ends is guarded by one lock for that reason: what is queued,
   * who works, what is told, and who is to be stopped. Nobody holds it while a user's function
   * runs, or while he waits for another node.
   */

  /** How long an answer waits for the workers to be done. */
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long a worker waits before it sends again to a node that was busy. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** In the number of an attempt, which no other node has, where the number of its node is. */
  private static final int NODE_SHIFT = 40;

  private final NodeTask task;
  private final MapSource<?, ?> source;
  private final ExecutorService pool;
  private final int workersMax;

  /** Values that workers share: one for each that maps a segment, at most. */
  private final List<SharedValue> shared = new CopyOnWriteArrayList<>();

  /** The round, and the partitions that nobody sends to. Written under the lock, read without. */
  private volatile @Nullable Round round;

  private volatile Set<Integer> unwanted = Set.of();

  /** Written by {@link #close}. */
  private volatile boolean isClosed;

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

  /**
   * Begins with nothing to do.
   *
   * @param workersMax how many attempts are made at a time, at most
   */
  AttemptScheduler(NodeTask task, MapSource<?, ?> source, ExecutorService pool, int workersMax) {
    this.task = task;
    this.source = source;
    this.pool = pool;
    this.workersMax = workersMax;
  }

  // ---- what workers ask, and say

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

  // ---- steps

  /** Goes on, and waits a moment for more to tell, unless all is done or something is wrong. */
  Answer step(Step step) throws InterruptedException {
    lock.lock();
    try {
      adopt(step);
      long rest = ANSWER_NANOS;
      while (rest > 0 && !isClosed && !hasTrouble() && isBusy()) {
        rest = changed.awaitNanos(rest);
      }
      if (isClosed) {
        throw new NoSuchTaskException("task ended: task=" + step.key().task());
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
            task.stats());
    ended.clear();
    notServed.clear();
    unreachable.clear();
    return answer;
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
      if (now == null || !work(now, ((long) task.key().number() << NODE_SHIFT) | attempt, worker)) {
        MapWorker<?, ?> helper = new MapWorker<>(task, source, worker); // who joins must help
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
      tell(PartDelivery.again(task, now, number, sentBefore));
      return true;
    }
    Integer segment = nextSegment(now);
    if (segment != null) {
      tell(new MapWorker<>(task, source, worker).attempt(now, number, segment));
    }
    return segment != null;
  }

  /** What is to be sent again; or null, when its segments may have to be mapped instead. */
  private @Nullable Again nextAgain(Round ofRound) {
    for (Again next = pollAgain(ofRound); next != null; next = pollAgain(ofRound)) {
      if (task.hasSent(next.attempt(), ofRound)) {
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

  /** Lets nothing begin any more. */
  void close() {
    isClosed = true;
  }

  /** Interrupts the workers, and waits for them, for a time at most. After {@link #close}. */
  void endWorkers(long nanosMax) throws InterruptedException {
    lock.lock();
    try {
      queue.clear();
      again.clear();
      changed.signalAll();
      List.copyOf(workers.keySet()).forEach(this::dismiss);
      long rest = nanosMax;
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
