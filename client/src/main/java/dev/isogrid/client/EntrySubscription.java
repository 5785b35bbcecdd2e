package dev.isogrid.client;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives a subscriber entries as it requests them, and holds one batch. One task makes all calls of
 * the subscriber, so they come one after the other; the methods are for any thread.
 */
final class EntrySubscription<E> implements Flow.Subscription {
  private static final System.Logger log = System.getLogger(EntrySubscription.class.getName());

  private final BatchSource iteration;
  private final Function<IterationOperation.Row, E> view;
  private final Flow.Subscriber<? super E> subscriber;
  private final Callbacks.Task task;
  private final AtomicLong demand = new AtomicLong();
  private final AtomicReference<@Nullable Fetched> arrived = new AtomicReference<>();
  private volatile boolean isEnded;
  private volatile boolean isMisused;

  // the fields below belong to the task
  private final ArrayDeque<IterationOperation.Row> batch = new ArrayDeque<>();
  private boolean isSubscribed;
  private boolean isFetching;

  /** The fetched rows, or the failure. */
  private record Fetched(List<IterationOperation.Row> rows, @Nullable Throwable cause) {}

  private EntrySubscription(
      Callbacks callbacks,
      BatchSource iteration,
      Function<IterationOperation.Row, E> view,
      Flow.Subscriber<? super E> subscriber) {
    this.iteration = iteration;
    this.view = view;
    this.subscriber = subscriber;
    this.task = callbacks.task(this::run);
  }

  /** Subscribes a subscriber to an iteration that has not begun. */
  static <E> void begin(
      Callbacks callbacks,
      BatchSource iteration,
      Function<IterationOperation.Row, E> view,
      Flow.Subscriber<? super E> subscriber) {
    new EntrySubscription<>(callbacks, iteration, view, subscriber).task.ask();
  }

  @Override
  public void request(long count) {
    if (count <= 0) {
      isMisused = true;
    } else {
      demand.getAndUpdate(before -> before + count < 0 ? Long.MAX_VALUE : before + count);
    }
    task.ask();
  }

  @Override
  public void cancel() {
    isEnded = true;
    iteration.close();
  }

  private void run() {
    try {
      if (!isSubscribed) {
        isSubscribed = true;
        subscriber.onSubscribe(this);
      }
      if (isMisused && !isEnded) {
        cancel();
        subscriber.onError(new IllegalArgumentException("request of less than one element"));
      }
      tell();
    } catch (RuntimeException | Error fault) { // the subscriber must not throw; it hears no more
      cancel();
      log.log(Level.WARNING, "subscriber failed: it hears nothing more", fault);
    }
  }

  private void tell() {
    Fetched fetched = arrived.getAndSet(null);
    if (fetched != null && !isEnded) {
      isFetching = false;
      Throwable cause = fetched.cause();
      if (cause != null) {
        cancel();
        boolean isWrapped = cause instanceof CompletionException && cause.getCause() != null;
        subscriber.onError(isWrapped ? cause.getCause() : cause);
      } else if (fetched.rows().isEmpty()) {
        isEnded = true;
        subscriber.onComplete();
      } else {
        batch.addAll(fetched.rows());
      }
    }
    while (!isEnded && !batch.isEmpty() && demand.get() > 0) {
      demand.getAndUpdate(left -> left == Long.MAX_VALUE ? left : left - 1);
      subscriber.onNext(view.apply(batch.remove()));
    }
    if (!isEnded && !isFetching && batch.isEmpty()) {
      isFetching = true;
      iteration
          .next()
          .whenComplete((rows, cause) -> {
            arrived.set(new Fetched(cause == null ? rows : List.of(), cause));
            task.ask();
          });
    }
  }
}
