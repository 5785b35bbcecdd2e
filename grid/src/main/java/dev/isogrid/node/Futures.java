package dev.isogrid.node;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs operations of a cache for callers who want a future. Thread-safe. */
final class Futures {
  /** Bounded operations at a time: each is a virtual thread, and what its function keeps. */
  static final int BOUND = 10_000;

  private final AtomicInteger bounded = new AtomicInteger();
  private final Scheduler scheduler;
  private final boolean mayWait;

  /**
   * For a cache.
   *
   * @param scheduler runs what may have to wait for other nodes
   * @param mayWait whether operations may; if not, they are done when the call returns
   */
  Futures(Scheduler scheduler, boolean mayWait) {
    this.scheduler = scheduler;
    this.mayWait = mayWait;
  }

  /**
   * Runs an operation that may take any time; the future fails if {@link #BOUND} of them run.
   *
   * @param cache for the message
   */
  <R extends @Nullable Object> CompletableFuture<R> ofBounded(String cache, Supplier<R> operation) {
    if (bounded.incrementAndGet() > BOUND) {
      bounded.decrementAndGet();
      return CompletableFuture.failedFuture(
          new RetryableGridException(
              ("too many asynchronous functions: cache=%s, limit=%d; wait for some of their futures"
                      + " and try again")
                  .formatted(cache, BOUND)));
    }
    Supplier<R> counted =
        () -> {
          try {
            return operation.get();
          } finally {
            bounded.decrementAndGet();
          }
        };
    CompletableFuture<R> future = new CompletableFuture<>();
    if (!begin(counted, future)) {
      bounded.decrementAndGet();
    }
    return future;
  }

  /** Runs an operation. */
  <R extends @Nullable Object> CompletableFuture<R> of(Supplier<R> operation) {
    CompletableFuture<R> future = new CompletableFuture<>();
    boolean _ = begin(operation, future);
    return future;
  }

  /** Runs an operation; returns false, and fails its future, if nobody is left to run it. */
  private <R extends @Nullable Object> boolean begin(
      Supplier<R> operation, CompletableFuture<R> future) {
    Runnable run = () -> complete(future, operation);
    if (!mayWait) {
      run.run();
      return true;
    }
    try {
      scheduler.execute(run);
      return true;
    } catch (RejectedExecutionException closed) {
      future.completeExceptionally(new FatalGridException("grid closed; start a new one", closed));
      return false;
    }
  }

  private static <R extends @Nullable Object> void complete(
      CompletableFuture<R> future, Supplier<R> operation) {
    try {
      future.complete(operation.get());
    } catch (Throwable failure) { // tidy: top of the user's code; the future's reader gets it
      future.completeExceptionally(failure);
    }
  }

  /** Runs an operation without an answer. */
  CompletableFuture<@Nullable Void> ofVoid(Runnable operation) {
    return of(() -> {
      operation.run();
      return null;
    });
  }
}
