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
 * The attempts of a node in a task: the segments to map and the pairs to send again, the workers,
 * and the news for the coordinator. Thread-safe.
 */
final class AttemptScheduler {
  /*
   * Calls of the node that started the task bring steps: they put segments, and attempts whose
   * pairs must be sent again, into queues, and wait briefly for news. Workers of the node's pool
   * take from the queues: each makes one attempt and then leaves its thread to other tasks. When
   * nothing is queued, it helps a worker that maps a large value.
   *
   * One lock guards everything that must agree when a task ends: the queues, the running workers,
   * the news, and the workers to stop. No thread holds it while a user's function runs, or while it
   * waits for another node.
   */

  /** The longest wait of an answer for the workers. */
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The pause of a worker before it sends again to a busy node. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * The position of the node's number in the number of an attempt, which is unique in the cluster.
   */
  private static final int NODE_SHIFT = 40;

  private final NodeTask task;
  private final MapSource<?, ?> source;
  private final ExecutorService pool;
  private final int workersMax;

  /** Values that workers share: at most one per worker that maps a segment. */
  private final List<SharedValue> shared = new CopyOnWriteArrayList<>();

  /** The round, and the partitions that were lost in it. Written under the lock, read without. */
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

  /** The running workers by the attempts' numbers; workers get the lowest free numbers. */
  private final Map<Long, Integer> running = new HashMap<>();

  private @Nullable Throwable failure;
  private long lastAttempt;

  /**
   * Begins without work.
   *
   * @param workersMax the most attempts at a time
   */
  AttemptScheduler(NodeTask task, MapSource<?, ?> source, ExecutorService pool, int workersMax) {
    this.task = task;
    this.source = source;
    this.pool = pool;
    this.workersMax = workersMax;
  }

  // ---- queries and reports of workers

  /** Lets idle workers help with a value, now or later. */
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

  /** Ends the joining of a value. */
  void unshare(SharedValue value) {
    shared.remove(value);
  }

  void checkGoesOn() {
    if (isClosed) {
      throw new StoppedException();
    }
  }

  /** Whether pairs of a partition are still needed. */
  boolean isWanted(Round ofRound, int partition) {
    return ofRound.partitionNodes()[partition] >= 0
        && (unwanted.isEmpty() || !unwanted.contains(partition));
  }

  /** The next segment to map in a round, or null. */
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

  /** Notes that the node of a partition does not accept its pairs. */
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

  /** Waits briefly, or until the task ends. */
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

  /** Executes a step, and waits briefly for news, unless everything is done or something failed. */
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

  /** Begins an attempt on a thread of the pool. Needs the lock. */
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

  /** Makes an attempt; returns false if there is nothing to map or to send again. */
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

  /**
   * The next attempt whose pairs must be sent again; or null, when its segments may have to be
   * mapped instead.
   */
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

  /** Assigns a number to a worker; -1 if it must not begin. */
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

  /** Ends the task with a failure; the first failure counts. */
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

  /** Ends an attempt, and queues another one in the pool if there is more to do. */
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

  /** Prevents further attempts. */
  void close() {
    isClosed = true;
  }

  /** Interrupts the workers, and waits for them, at most for a time. After {@link #close}. */
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
