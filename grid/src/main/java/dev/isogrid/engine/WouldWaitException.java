package dev.isogrid.engine;

/**
 * Says that an operation would have to wait and must not. Nothing was done; the operation is to be
 * repeated by a thread that may wait. One object without a stack trace, so that it costs little.
 */
public final class WouldWaitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("StaticAssignmentOfThrowable") // without a stack trace all are the same
  private static final WouldWaitException INSTANCE = new WouldWaitException();

  private WouldWaitException() {
    super("would have to wait: repeat it with a thread that may", null, false, false);
  }

  /** The one that there is. */
  public static WouldWaitException instance() {
    return INSTANCE;
  }
}
