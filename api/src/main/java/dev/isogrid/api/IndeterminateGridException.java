package dev.isogrid.api;

/**
 * There was no answer in time: the operation may have been done, may still be done in the next
 * seconds, or may never be. It is done at most once. Read the entry to find out, or repeat the
 * operation if that does no harm.
 */
public final class IndeterminateGridException extends GridException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure.
   *
   * @param message what failed, with the values that matter, and what to do
   */
  public IndeterminateGridException(String message) {
    super(message, null);
  }
}
