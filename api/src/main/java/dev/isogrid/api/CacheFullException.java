package dev.isogrid.api;

/**
 * A write was refused since it would have taken a cache over its bound, or the node over its limit
 * of off-heap memory. Nothing was changed. Remove entries or raise the limit that the message
 * names.
 */
public final class CacheFullException extends GridException {
  private static final long serialVersionUID = 1L;

  /** The message names the cache or node, the limit and what is used. */
  public CacheFullException(String message) {
    super(message, null);
  }
}
