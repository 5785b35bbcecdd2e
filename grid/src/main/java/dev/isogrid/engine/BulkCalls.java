package dev.isogrid.engine;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one caller to the primaries of many keys, a bounded number of them under way at a
 * time. Not thread-safe: answers are taken by the caller's thread.
 */
final class BulkCalls {
  /*
   * Commands are begun in batches, in one hold of the driver's lock, so that those for one node
   * share packets. The next batch is begun when there is room for it, whichever nodes gave answers:
   * so all nodes have something to do as long as no single one is slower than the rest together.
   */
  /** Enough to keep some nodes busy; few enough that many callers at once are within the limit. */
  private static final int CALLS_MAX = 128;

  /** Commands that are begun together. */
  private static final int BATCH_MAX = 32;

  /** The most bytes of the commands under way, together; a single one may be larger. */
  private static final long BYTES_MAX = 8 << 20;

  /** How long after its time is over the node may take to say so. */
  private static final long PATIENCE_MILLIS = 2000;

  /** Segments that an error names. */
  private static final int NAMED_MAX = 8;

  /**
   * A command.
   *
   * @param index the segment's number in the cache
   * @param taking gets the answer
   */
  record Call(EntryCommand command, int index, Consumer<@Nullable Object> taking) {
    private long sizeBytes() {
      return switch (command) {
        case WriteEntry write when write.fields() != null -> write.fields().value().length();
        case WriteEntries all -> all.valueBytes();
        default -> 0;
      };
    }

    private int operations() {
      return command instanceof WriteEntries all ? all.writes().size() : 1;
    }

    /** Of two commands with the same one, the second is begun when the first has its answer. */
    private Object order() {
      return command instanceof WriteEntries ? index : command.key();
    }
  }

  private record Ended(Call call, Outcome outcome) {}

  private final ClusterCalls calls;
  private final String cache;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasEnded = lock.newCondition();

  // guarded by: lock
  private final ArrayDeque<Ended> ended = new ArrayDeque<>();

  private final List<Call> batch = new ArrayList<>();
  private final Set<Object> keys = new HashSet<>();
  private final Set<Integer> failedSegments = new TreeSet<>();
  private long batchBytes;

  /** The commands without an answer. By identity, since equality would compare their values. */
  private final Set<Call> underWay = Collections.newSetFromMap(new IdentityHashMap<>());

  private long openBytes;
  private int done;
  private int failed;
  private int notBegun;
  private boolean hasWrites;
  private boolean hasDoneWrites;
  private @Nullable RuntimeException failure;

  BulkCalls(ClusterCalls calls, String cache) {
    this.calls = calls;
    this.cache = cache;
  }

  /** Whether something failed, so that nothing more is begun. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Reads were done without a command. */
  void doneHere(int operations) {
    done += operations;
  }

  /** Writes were done without a command. */
  void wroteHere(int operations) {
    hasDoneWrites = true;
    done += operations;
  }

  /** Operations could not be done without a command. */
  void failedHere(int index, int operations, GridException why) {
    failed(index, operations, why);
  }

  /** Sends a command, at once or with later ones. */
  void add(EntryCommand command, int index, Consumer<@Nullable Object> taking) {
    Call call = new Call(command, index, taking);
    if (failure != null) {
      notBegun += call.operations();
      return;
    }
    if (keys.contains(call.order())) {
      drain();
    }
    keys.add(call.order());
    hasWrites |= !command.isRead();
    batch.add(call);
    batchBytes += call.sizeBytes();
    if (batch.size() >= BATCH_MAX || batchBytes >= BYTES_MAX) {
      send();
    }
  }

  private void send() {
    while (!underWay.isEmpty()
        && (underWay.size() + batch.size() > CALLS_MAX || openBytes + batchBytes > BYTES_MAX)) {
      take();
    }
    if (failure == null) {
      calls.beginAll(batch, this::end);
      underWay.addAll(batch);
      openBytes += batchBytes;
    } else {
      batch.forEach(call -> notBegun += call.operations());
    }
    batch.clear();
    batchBytes = 0;
  }

  private void end(Call call, Outcome outcome) {
    lock.lock();
    try {
      ended.add(new Ended(call, outcome));
      hasEnded.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an answer; returns null if none comes in time. */
  private @Nullable Ended next() throws InterruptedException {
    long restNanos = TimeUnit.MILLISECONDS.toNanos(calls.timeoutMillis() + PATIENCE_MILLIS);
    lock.lock();
    try {
      while (ended.isEmpty() && restNanos > 0) {
        restNanos = calls.clock().await(hasEnded, restNanos);
      }
      return ended.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an answer, and takes it. */
  private void take() {
    Ended next = null;
    boolean isInterrupted = false;
    try {
      next = next();
    } catch (InterruptedException e) {
      isInterrupted = true;
      Thread.currentThread().interrupt();
    }
    if (next == null) {
      String reason = isInterrupted ? "interrupted" : "no answer in time";
      failure =
          hasWrites
              ? new IndeterminateGridException(
                  "may or may not have been done: cache=%s, %s".formatted(cache, reason))
              : new RetryableGridException(
                  "not read: cache=%s, %s; try again".formatted(cache, reason));
      for (Call call : underWay) {
        failed += call.operations();
        failedSegments.add(call.index());
      }
      underWay.clear();
      return;
    }
    Call call = next.call();
    underWay.remove(call);
    openBytes -= call.sizeBytes();
    keys.remove(call.order());
    try {
      call.taking().accept(calls.result(cache, call.command(), call.index(), next.outcome()));
      done += call.operations();
      hasDoneWrites |= !call.command().isRead();
    } catch (RuntimeException e) {
      failed(call.index(), call.operations(), e);
    }
  }

  private void failed(int index, int operations, RuntimeException why) {
    failed += operations;
    failedSegments.add(index);
    boolean isGraver =
        why instanceof IndeterminateGridException
            && !(failure instanceof IndeterminateGridException);
    if (failure == null || isGraver) {
      failure = why;
    }
  }

  private void drain() {
    send();
    while (!underWay.isEmpty()) {
      take();
    }
  }

  /**
   * Waits for all answers.
   *
   * @throws GridException if something was not done, or may not have been
   */
  void await() {
    drain();
    RuntimeException why = failure;
    if (why != null) {
      throw told(why);
    }
  }

  private RuntimeException told(RuntimeException why) {
    String text =
        "%s; of the operations on many keys %d were done, %d were not or perhaps, %d not begun"
            .formatted(why.getMessage(), done, failed, notBegun);
    List<Integer> named = failedSegments.stream().limit(NAMED_MAX).toList();
    String places = "%s: segments=%s%s".formatted(text, named, others());
    return switch (why) {
      case IndeterminateGridException _ -> new IndeterminateGridException(places);
      case CacheFullException _ -> new CacheFullException(places);
      case InvalidRequestException _ -> new InvalidRequestException(places, why);
      case RetryableGridException _ when hasDoneWrites -> new IndeterminateGridException(places);
      case RetryableGridException _ -> new RetryableGridException(places, why);
      default -> why;
    };
  }

  private String others() {
    int more = failedSegments.size() - NAMED_MAX;
    return more > 0 ? " and " + more + " more" : "";
  }
}
