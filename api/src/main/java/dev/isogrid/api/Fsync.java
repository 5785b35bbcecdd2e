package dev.isogrid.api;

/** When a write to a cache with a store is on the disk. */
public enum Fsync {
  /** Before the write returns: it outlives a loss of power. */
  EACH,

  /**
   * Within the store's interval, 1 second by default, after the write returned. A process that is
   * killed loses the writes since the disk began to force the ones before.
   */
  INTERVAL,

  /**
   * When the operating system writes it, or some megabytes later at most. A process that is killed
   * loses the writes since the disk began to force the ones before; a loss of power can also lose
   * everything that the operating system did not write.
   */
  NONE
}
