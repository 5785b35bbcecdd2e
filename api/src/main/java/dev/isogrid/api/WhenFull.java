package dev.isogrid.api;

/** The behaviour of a bounded cache for a write that would exceed its bound. */
public enum WhenFull {
  /** Other entries, those likely to be missed least, are removed. */
  REMOVE,

  /** The write is refused with {@link CacheFullException}; the cache stays as it is. */
  EXCEPTION
}
