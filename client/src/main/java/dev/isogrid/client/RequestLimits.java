package dev.isogrid.client;

/**
 * The limits on operations under way to one server at a time. An operation counts until it is
 * answered or its connection is gone, even if its caller gave up earlier.
 *
 * @param operationsMax operations, 1 to 1,000,000
 * @param bytesMax approximate bytes of keys and values; one operation alone may be larger
 * @param whenFull the treatment of a further operation
 */
public record RequestLimits(int operationsMax, long bytesMax, WhenFull whenFull) {
  /** Enough for any number of threads that wait for their answers; little enough for the heap. */
  public static final RequestLimits DEFAULT = new RequestLimits(4096, 64 << 20, WhenFull.BLOCK);

  private static final int OPERATIONS_LIMIT = 1_000_000;
  private static final long BYTES_LIMIT = 1L << 38;

  /** The treatment of an operation for which there is no room. */
  public enum WhenFull {
    /** Its caller waits, at most as long as the operation may take. */
    BLOCK,
    /** It fails with {@link TooManyRequestsException} at once. */
    FAIL
  }

  /** Checks the numbers. */
  public RequestLimits {
    if (operationsMax < 1 || operationsMax > OPERATIONS_LIMIT) {
      throw new IllegalArgumentException(
          "invalid limit: operationsMax=%d; 1 to %d".formatted(operationsMax, OPERATIONS_LIMIT));
    }
    if (bytesMax < 1 || bytesMax > BYTES_LIMIT) {
      throw new IllegalArgumentException(
          "invalid limit: bytesMax=%d; 1 to %d".formatted(bytesMax, BYTES_LIMIT));
    }
  }
}
