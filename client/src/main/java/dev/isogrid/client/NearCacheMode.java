package dev.isogrid.client;

/** Whether a client keeps values that it has read. */
public enum NearCacheMode {
  /** It keeps none. */
  DISABLED,
  /** It keeps them until their entries change. */
  INVALIDATED
}
