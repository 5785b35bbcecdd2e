package dev.isogrid.client;

/** What can be asked of the administration of caches besides. */
public enum AdminFlag {
  /**
   * The new object ends with the servers; without this flag, it is there again after their restart.
   */
  VOLATILE,
  /** A cache that exists becomes as described, as far as that can be changed. */
  UPDATE
}
