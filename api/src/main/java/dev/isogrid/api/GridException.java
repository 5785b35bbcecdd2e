package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * The root of all failures that a grid reports. The kinds tell the caller what to do: try again
 * ({@link RetryableGridException}), find out what happened ({@link IndeterminateGridException}),
 * give up and call an operator ({@link FatalGridException}), mend the call ({@link
 * InvalidRequestException}), make room ({@link CacheFullException}), live with a counter's bound
 * ({@link CounterBoundException}), or look at a function of one's own ({@link MapReduceException}).
 * Expected outcomes, such as a condition that does not hold, are return values, never exceptions.
 */
public abstract sealed class GridException extends RuntimeException
    permits RetryableGridException,
        FatalGridException,
        IndeterminateGridException,
        InvalidRequestException,
        CacheFullException,
        ChangesGoneException,
        CounterBoundException,
        MapReduceException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure.
   *
   * @param message what failed, with the values that matter, and what to do
   * @param cause the failure below, or null
   */
  protected GridException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
