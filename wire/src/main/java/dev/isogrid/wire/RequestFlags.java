package dev.isogrid.wire;

/** The bits of a request's flags. Unknown bits mean nothing. */
public final class RequestFlags {
  /** A write answers with the value that was there before. */
  public static final int FORCE_RETURN_VALUE = 0x01;

  /** Before 2.2: a lifespan of 0 stands for the cache's default. */
  public static final int DEFAULT_LIFESPAN = 0x02;

  /** Before 2.2: a max idle of 0 stands for the cache's default. */
  public static final int DEFAULT_MAX_IDLE = 0x04;

  /** Stores are not asked. */
  public static final int SKIP_CACHE_LOAD = 0x08;

  /** Indexes are left as they are. */
  public static final int SKIP_INDEXING = 0x10;

  /** From 3.0 on: listeners are not told. */
  public static final int SKIP_LISTENER_NOTIFICATION = 0x20;

  private RequestFlags() {}
}
