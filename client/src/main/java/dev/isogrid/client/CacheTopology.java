package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.Segments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a cache and the owners of its segments, as a server sent them. Immutable.
 *
 * <p>The arrays are not changed after construction.
 */
final class CacheTopology {
  /** No server has sent a topology yet. */
  static final CacheTopology NONE =
      new CacheTopology(HotRod.TOPOLOGY_NONE, List.of(), null, new int[0][]);

  private final int id;
  private final List<ServerLink> servers;
  private final @Nullable Segments segments;

  /** For each segment the indexes of its owners, the primary first. */
  private final int[][] owners;

  CacheTopology(int id, List<ServerLink> servers, @Nullable Segments segments, int[][] owners) {
    this.id = id;
    this.servers = List.copyOf(servers);
    this.segments = segments;
    this.owners = owners;
  }

  int id() {
    return id;
  }

  List<ServerLink> servers() {
    return servers;
  }

  /** The number of segments, or 0 if owners are not known. */
  int segmentCount() {
    return segments == null ? 0 : segments.count();
  }

  /** The first usable server of the owners of a key, except those to avoid. */
  @Nullable ServerLink owner(byte[] key, @Nullable ServerLink avoided) {
    if (segments == null) {
      return null;
    }
    for (int index : owners[segments.of(KeyHash.hash(key))]) {
      ServerLink server = servers.get(index);
      if (!server.equals(avoided) && server.isUsable()) {
        return server;
      }
    }
    return null;
  }

  /** The segment of a key, or -1 if owners are not known. */
  int segment(byte[] key) {
    return segments == null ? -1 : segments.of(KeyHash.hash(key));
  }

  /** The primary owner of a segment. */
  ServerLink primary(int segment) {
    return servers.get(owners[segment][0]);
  }
}
