package dev.isogrid.api;

/**
 * An addition would have taken a counter over a bound, so the value is that bound now; or a value
 * that was to be set is out of bounds, and nothing changed.
 */
public final class CounterBoundException extends GridException {
  private static final long serialVersionUID = 1L;

  private final boolean isUpper;

  /**
   * Creates a failure.
   *
   * @param isUpper whether it is the upper bound
   * @param message what failed, with the values that matter
   */
  public CounterBoundException(boolean isUpper, String message) {
    super(message, null);
    this.isUpper = isUpper;
  }

  /** Whether it is the upper bound, not the lower one. */
  public boolean isUpper() {
    return isUpper;
  }
}
