package dev.isogrid.api;

/** What a bounded cache does with a write that would take it over its bound. */
public enum WhenFull {
  /** Other entries, those likely to be missed least, are removed. */
  REMOVE,

  /** The write is refused with {@link CacheFullException}; the cache stays as it is. */
  EXCEPTION
}
