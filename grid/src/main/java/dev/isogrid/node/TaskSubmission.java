package dev.isogrid.node;

import dev.isogrid.api.ClusterExecutor.ResultConsumer;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.NodeFailureNote;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.topology.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A task on its way to nodes, and what comes back. Thread-safe.
 *
 * @param <T> the type of a node's result
 * @param <R> the type of what the user gets in the end
 */
final class TaskSubmission<T extends @Nullable Object, R extends @Nullable Object> {
  /** A node that is to do the task. */
  record Place(String name, NodeId node) {}

  /**
   * How to go on if a place fails.
   *
   * @param failovers how often
   * @param others gives another place, or null if there is none, from those that failed
   */
  record Failover(int failovers, Function<Set<NodeId>, @Nullable Place> others) {
    static final Failover NONE = new Failover(0, _ -> null);
  }

  /**
   * The parts of a node that submissions need.
   *
   * @param continuations where consumers run; may block
   */
  record Means(NodeCalls calls, ObjectShipping shipping, NanoClock clock, Executor continuations) {}

  private final Means means;
  private final ByteString task;
  private final long timeoutMillis;
  private final long deadlineNanos;
  private final Failover failover;
  private final ResultConsumer<? super T> consumer;
  private final Supplier<R> finish;
  private final CompletableFuture<R> whole = new CompletableFuture<>();
  private final Map<Long, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

  /**
   * A submission that is not under way yet.
   *
   * @param consumer gets each place
   * @param finish gives the future's value, or throws its failure, after the last place
   */
  // tidy: one use; a record of its arguments would say the same again
  TaskSubmission(
      Means means,
      ByteString task,
      long timeoutMillis,
      Failover failover,
      ResultConsumer<? super T> consumer,
      Supplier<R> finish) {
    this.means = means;
    this.task = task;
    this.timeoutMillis = timeoutMillis;
    this.deadlineNanos = means.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    this.failover = failover;
    this.consumer = consumer;
    this.finish = finish;
  }

  /** Sends the task. */
  CompletableFuture<R> begin(Collection<Place> places) {
    open.set(places.size());
    whole.whenComplete((_, _) -> {
      if (whole.isCancelled()) {
        underWay.values().forEach(call -> call.cancel(true));
      }
    });
    for (Place place : places) {
      send(place, ConcurrentHashMap.newKeySet());
    }
    return whole;
  }

  private void send(Place place, Set<NodeId> failed) {
    long restNanos = deadlineNanos - means.clock.nanoTime();
    long restMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(restNanos));
    CompletableFuture<ByteString> call =
        means.calls.call(place.node, TaskService.NUMBER, task, restMillis);
    long number = numbers.incrementAndGet();
    underWay.put(number, call);
    if (whole.isDone()) {
      call.cancel(true);
    }
    call.handleAsync(
            (answer, failure) -> {
              underWay.remove(number);
              ended(place, failed, answer, failure);
              return true;
            },
            means.continuations)
        .whenComplete((_, thrown) -> {
          if (thrown != null) {
            breakOff(thrown);
          }
        });
  }

  /** Ends it with what kept an answer from being taken; nobody else would. */
  private void breakOff(Throwable thrown) {
    Throwable cause = thrown.getCause();
    Throwable why = thrown instanceof CompletionException && cause != null ? cause : thrown;
    whole.completeExceptionally(
        why instanceof RejectedExecutionException
            ? new FatalGridException("grid closed; start a new one", why)
            : why);
  }

  private void ended(
      Place place, Set<NodeId> failed, @Nullable ByteString answer, @Nullable Throwable failure) {
    if (whole.isDone()) {
      return;
    }
    Throwable why = failure == null ? null : told(place, failure);
    Object result = null;
    if (answer != null) {
      try {
        result = means.shipping.fromBytes(answer, "the result of a task");
      } catch (GridException unreadable) {
        why = unreadable;
      }
    }
    Place other = why == null ? null : other(place, failed, why);
    if (other == null) {
      consume(place, result, why);
    } else {
      send(other, failed);
    }
  }

  private @Nullable Place other(Place place, Set<NodeId> failed, Throwable why) {
    failed.add(place.node);
    boolean hasTime = deadlineNanos - means.clock.nanoTime() > 0;
    if (!hasTime || failed.size() > failover.failovers) {
      return null;
    }
    try {
      return failover.others.apply(failed);
    } catch (RuntimeException notFound) { // such as of a cache that is gone
      why.addSuppressed(notFound);
      return null;
    }
  }

  private Throwable told(Place place, Throwable failure) {
    if (!(failure instanceof NodeCallException call)) {
      return failure;
    }
    Throwable cause = call.getCause();
    if (cause != null && call.reason() == NodeCallException.Reason.FAILED) {
      cause.addSuppressed(new NodeFailureNote(place.name));
      return cause;
    }
    String where =
        "node=%s, %s, timeout=%d ms".formatted(place.name, call.getMessage(), timeoutMillis);
    return call.reason() == NodeCallException.Reason.BUSY
        ? new RetryableGridException("task not done: " + where + "; try again later", call)
        : new IndeterminateGridException("task may or may not have been done: " + where);
  }

  @SuppressWarnings("unchecked") // what the task gave
  private void consume(Place place, @Nullable Object result, @Nullable Throwable failure) {
    try {
      consumer.accept(place.name, (T) result, failure);
    } catch (Exception | Error thrown) { // languages without checked exceptions throw any
      broken.compareAndSet(null, thrown);
    }
    if (open.decrementAndGet() == 0) {
      complete();
    }
  }

  private void complete() {
    Throwable thrown = broken.get();
    if (thrown != null) {
      whole.completeExceptionally(thrown);
      return;
    }
    try {
      whole.complete(finish.get());
    } catch (CollectedFailure collected) {
      whole.completeExceptionally(collected.failure());
    }
  }

  /** Carries what nodes threw, which may be anything, out of {@link #finish}. */
  static final class CollectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Throwable failure;

    CollectedFailure(Throwable failure) {
      super(null, failure, false, false);
      this.failure = failure;
    }

    Throwable failure() {
      return failure;
    }
  }
}
