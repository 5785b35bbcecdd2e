package dev.isogrid.store;

/**
 * There is no memory left for a write. Thrown before anything is changed, so the write can be tried
 * again once entries were removed. Has no stack trace: it can be frequent.
 */
public final class MemoryFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the limit and what is used of it. */
  MemoryFullException(String message) {
    super(message, null, false, false);
  }
}
