package dev.isogrid.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Waits for answers. Stateless. */
final class Answers {
  private Answers() {}

  /**
   * Waits for an operation and returns its result.
   *
   * @throws HotRodClientException if it failed, or this thread was interrupted or may not wait
   */
  static <T extends @Nullable Object> T await(Operation<T> operation) {
    if (!operation.isDone()) {
      mayWait();
      try {
        operation.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new HotRodClientException("interrupted while waiting for an answer", interrupted);
      }
    }
    T result = result(operation);
    return operation.is(Operation.UNDECODED) ? resolved(operation, result) : result;
  }

  /** The result of an operation; the calling thread makes its objects. */
  private static <T extends @Nullable Object> T resolved(Operation<T> operation, T result) {
    try {
      return operation.resolved(result);
    } catch (HotRodClientException cause) {
      throw cause;
    } catch (RuntimeException cause) { // of a user's marshaller
      throw new CompletionException(cause);
    }
  }

  /** Waits for the combined result of several operations, each of which ends in time. */
  static <T extends @Nullable Object> T awaitAll(CompletableFuture<T> all) {
    if (!all.isDone()) {
      mayWait();
    }
    return result(all);
  }

  private static void mayWait() {
    if (Transport.inEventLoop()) {
      throw new IllegalStateException(
          "this thread reads the answers and must not wait for one; use thenApplyAsync and the"
              + " like, or the operations that end in Async");
    }
  }

  private static <T extends @Nullable Object> T result(CompletableFuture<T> done) {
    try {
      return done.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof HotRodClientException cause) {
        throw cause;
      }
      throw failed;
    }
  }
}
