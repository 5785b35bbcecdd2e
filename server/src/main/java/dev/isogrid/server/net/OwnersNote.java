package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Notes about caches that want more copies of an entry than there are servers.
 *
 * @param topology of the cluster, or null if there is none
 */
public record OwnersNote(@Nullable Topology topology) {
  /** The copies that most caches want, also those of a single server: no reason for a note. */
  private static final int USUAL_OWNERS = 2;

  /** The note on a cache, or null. */
  public @Nullable String of(CacheConfig config) {
    boolean isDistributed =
        config.mode() == CacheMode.DIST_SYNC || config.mode() == CacheMode.DIST_ASYNC;
    int servers = topology == null ? 1 : topology.members().size();
    if (!isDistributed || config.owners() <= Math.max(servers, USUAL_OWNERS)) {
      return null;
    }
    return "owners=%d, servers=%d; each entry has %d copies until more servers join"
        .formatted(config.owners(), servers, servers);
  }
}
