package dev.isogrid.spring;

/** The value that caches keep in place of null. Public, so that nodes and clients can read it. */
public enum NoValue {
  /** Null. */
  NULL
}
