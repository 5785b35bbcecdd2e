package dev.isogrid.spring;

/** What caches keep in place of null. Public, so that nodes and clients can read it. */
public enum NoValue {
  /** Null. */
  NULL
}
