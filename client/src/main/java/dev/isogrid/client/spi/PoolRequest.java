package dev.isogrid.client.spi;

import org.jspecify.annotations.Nullable;

/** A request of a caller, as a pool sees it; an element of linked lists. */
public interface PoolRequest {
  /** The only connection that it may go through, or null if any will do. */
  @Nullable PoolConnection pinned();

  /** The request after it in a list, or null. */
  @Nullable PoolRequest following();

  /** Takes this head of a list off, and returns the rest of the list. */
  @Nullable PoolRequest detach();
}
