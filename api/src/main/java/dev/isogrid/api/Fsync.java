package dev.isogrid.api;

/** When a write to a cache with a store is on the disk. */
public enum Fsync {
  /** Before the write returns: it outlives a loss of power. */
  EACH,

  /** Within the store's interval, 1 second by default, after the write returned. */
  INTERVAL,

  /**
   * When the operating system writes it, or some megabytes later at most: it outlives the process,
   * but maybe not a loss of power.
   */
  NONE
}
