package dev.isogrid.client;

import dev.isogrid.wire.RequestFlags;

/** A flag that changes an operation. */
public enum Flag {
  /** Writes return the value that was there before. */
  FORCE_RETURN_VALUE(RequestFlags.FORCE_RETURN_VALUE),
  /** Of no effect: a lifespan of 0 stands for the cache's default anyway. */
  DEFAULT_LIFESPAN(RequestFlags.DEFAULT_LIFESPAN),
  /** Of no effect: a max idle of 0 stands for the cache's default anyway. */
  DEFAULT_MAXIDLE(RequestFlags.DEFAULT_MAX_IDLE),
  /** Stores are not asked. */
  SKIP_CACHE_LOAD(RequestFlags.SKIP_CACHE_LOAD),
  /** Indexes are left as they are. */
  SKIP_INDEXING(RequestFlags.SKIP_INDEXING),
  /** Listeners do not get the write. */
  SKIP_LISTENER_NOTIFICATION(RequestFlags.SKIP_LISTENER_NOTIFICATION);

  private final int bit;

  Flag(int bit) {
    this.bit = bit;
  }

  /** As in a request's header: one of the lowest 6 bits. */
  int bit() {
    return bit;
  }
}
