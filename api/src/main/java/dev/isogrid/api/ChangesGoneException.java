package dev.isogrid.api;

/**
 * The changes that a token stands for are not kept any more, or never were. Read all entries of the
 * cache, and follow its changes from now on; a longer retention of the store keeps more of them.
 */
public final class ChangesGoneException extends GridException {
  private static final long serialVersionUID = 1L;

  /** The message names the cache and what is gone. */
  public ChangesGoneException(String message) {
    super(message, null);
  }
}
