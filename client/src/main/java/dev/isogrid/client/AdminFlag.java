package dev.isogrid.client;

/** A flag for the administration of caches. */
public enum AdminFlag {
  /**
   * The new object ends with the servers; without this flag, servers restore it after their
   * restart.
   */
  VOLATILE,
  /** Changes an existing cache to the given configuration, as far as that is possible. */
  UPDATE
}
