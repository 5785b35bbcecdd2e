package dev.isogrid.wire;

/**
 * The versions of the protocol as one byte, major * 10 + minor. A newer version has all that older
 * ones have unless said otherwise, so numbers are compared.
 */
public final class Versions {
  /** 2.0: the oldest that is spoken. */
  public static final int V20 = 20;

  /** 2.1: tasks, putAll and getAll. */
  public static final int V21 = 21;

  /** 2.2: times with a unit. */
  public static final int V22 = 22;

  /** 2.3: iteration. */
  public static final int V23 = 23;

  /** 2.4: iteration with parameters of the filter; statistics of the whole cluster. */
  public static final int V24 = 24;

  /** 2.5: iteration with metadata. */
  public static final int V25 = 25;

  /** 2.6: streaming; listeners say what interests them. */
  public static final int V26 = 26;

  /** 2.7: counters, multimaps, transactions. */
  public static final int V27 = 27;

  /** 2.8: media types in the header of requests. */
  public static final int V28 = 28;

  /** 2.9: ping tells the media types of the cache. */
  public static final int V29 = 29;

  /** 3.0: ping tells version and operations; long lifespans are no longer points in time. */
  public static final int V30 = 30;

  /** 3.1: near cache with a bloom filter. Pings have it before the version is agreed on. */
  public static final int V31 = 31;

  /** 4.0: named parameters in the header; previous values come with metadata. */
  public static final int V40 = 40;

  /** 4.1: streaming in chunks. */
  public static final int V41 = 41;

  /** The oldest version. */
  public static final int OLDEST = V20;

  /** The newest version. */
  public static final int NEWEST = V41;

  private Versions() {}

  /** Whether messages of a version can be read and written. */
  public static boolean isSupported(int version) {
    return version >= OLDEST && version <= NEWEST;
  }
}
