package dev.isogrid.client;

/**
 * The settings of a near cache: values of a cache that a client keeps.
 *
 * <p>A value is dropped when the server reports a change of its entry, or when this client writes
 * it. All are dropped when the connection for changes is lost: the protocol has no way to ask what
 * changed meanwhile, and reading an entry's version costs as much as reading the entry. So between
 * a write of another client and its event an older value may be returned, but never after that
 * event, nor after a write of this client has returned. Entries with a max idle are not kept, since
 * the servers would not know that they are used. The same object is returned each time: it must not
 * be changed.
 *
 * @param mode whether any are kept
 * @param entriesMax the most of them, 1 to 16,777,216; those that were not used lately are dropped
 *     first
 * @param usesBloomFilter whether the server sends events only of keys that may be kept here; reads
 *     that are not answered here then all go to one server
 */
public record NearCacheConfig(NearCacheMode mode, int entriesMax, boolean usesBloomFilter) {
  /** No values are kept. */
  public static final NearCacheConfig DISABLED =
      new NearCacheConfig(NearCacheMode.DISABLED, 1, false);

  /** Servers keep filters for as many. */
  private static final int ENTRIES_LIMIT = 1 << 24;

  /** Checks the number. */
  public NearCacheConfig {
    if (entriesMax < 1 || entriesMax > ENTRIES_LIMIT) {
      throw new IllegalArgumentException(
          "invalid near cache: entriesMax=%d; 1 to %d".formatted(entriesMax, ENTRIES_LIMIT));
    }
  }

  /** Keeps values until they change. */
  public static NearCacheConfig invalidated(int entriesMax) {
    return new NearCacheConfig(NearCacheMode.INVALIDATED, entriesMax, false);
  }

  /** The same with a filter at the server. */
  public NearCacheConfig withBloomFilter() {
    return new NearCacheConfig(mode, entriesMax, true);
  }
}
