package dev.isogrid.topology;

/**
 * A cache that a node wants the cluster to have.
 *
 * @param name 1 to {@link MemberProfile#TEXT_BYTES_MAX} bytes as UTF-8
 * @param group the kind of segments that it needs
 * @param versionEpoch 1 to {@link #VERSION_EPOCH_MAX}
 * @param config what the cache is to be, for those who keep it; up to {@link #CONFIG_BYTES_MAX}
 */
public record CacheRequest(String name, CacheGroup group, int versionEpoch, String config) {
  /** The largest epoch that fits into the upper part of an entry's version. */
  public static final int VERSION_EPOCH_MAX = (1 << 24) - 1;

  /** Bytes of a cache's configuration as UTF-8. All of them are in each topology. */
  public static final int CONFIG_BYTES_MAX = 16 << 10;

  /** One whose writes are answered when all copies have them. */
  public CacheRequest(String name, int owners, int segmentCount, int versionEpoch, String config) {
    this(name, new CacheGroup(owners, segmentCount), versionEpoch, config);
  }

  /** Checks the ranges. */
  public CacheRequest {
    Texts.checked("name", name, MemberProfile.TEXT_BYTES_MAX);
    Texts.checked("config", config, CONFIG_BYTES_MAX);
    if (name.isEmpty() || versionEpoch < 1 || versionEpoch > VERSION_EPOCH_MAX) {
      throw new IllegalArgumentException(
          "invalid cache: name=%s, versionEpoch=%d, max=%d"
              .formatted(name, versionEpoch, VERSION_EPOCH_MAX));
    }
  }
}
