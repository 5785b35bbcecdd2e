package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.node.ClientTopology;
import dev.isogrid.node.ClientTopology.Endpoint;
import dev.isogrid.wire.HotRod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The topology of a cache for clients, as bytes. Immutable; shared by connections.
 *
 * <pre>
 * vInt   topology id
 * vInt   number of servers, then for each  string host, u16 port
 * only for hash-aware clients:
 * u8     hash function; 0 for none
 * vInt   number of segments, then for each  u8 number of owners, vInt index of each in the list
 * </pre>
 *
 * <p>The id changes if and only if the content does. Its upper bits are the epoch of the last
 * change of owners, so it grows while a cluster lives; the lower {@value #HASH_BITS} are a hash of
 * the content, for changes without an epoch. Nodes with the same knowledge send the same id.
 * Clients and servers treat any other id than their own as new. Without a cluster, the whole id is
 * that hash.
 */
final class TopologySection {
  /** The bits of the id that distinguish contents with the same epoch. */
  private static final int HASH_BITS = 11;

  /** The epoch in the absence of a cluster. */
  private static final int NO_EPOCH = 0;

  /** Some clients read the first owner of each segment, so there must be one. */
  private static final List<Integer> SOME_OWNER = List.of(0);

  private final int id;

  /** The id and the servers. */
  private final byte[] servers;

  /** The hash function and the segments. */
  private final byte[] segments;

  private TopologySection(int epoch, List<Endpoint> endpoints, List<List<Integer>> owners) {
    ByteBuf out = Unpooled.buffer();
    writeServers(out, endpoints);
    byte[] told = taken(out);
    writeSegments(out, owners);
    this.segments = taken(out);
    this.id = id(epoch, 31 * Arrays.hashCode(told) + Arrays.hashCode(segments));
    WireWriter.vInt(out, id);
    out.writeBytes(told);
    this.servers = taken(out);
  }

  private static int id(int epoch, int hash) {
    int bits = hash ^ (hash >>> 16);
    int lower = bits & ((1 << HASH_BITS) - 1);
    int id = epoch == NO_EPOCH ? bits : (epoch << HASH_BITS) | lower;
    return Math.max(HotRod.TOPOLOGY_FIRST, id & Integer.MAX_VALUE);
  }

  private static void writeServers(ByteBuf out, List<Endpoint> endpoints) {
    WireWriter.vInt(out, endpoints.size());
    for (Endpoint endpoint : endpoints) {
      WireWriter.string(out, endpoint.host());
      out.writeShort(endpoint.port());
    }
  }

  private static void writeSegments(ByteBuf out, List<List<Integer>> owners) {
    out.writeByte(owners.isEmpty() ? HotRod.HASH_NONE : HotRod.HASH_SEGMENTS);
    WireWriter.vInt(out, owners.size());
    for (List<Integer> segment : owners) {
      List<Integer> told = segment.isEmpty() ? SOME_OWNER : segment;
      out.writeByte(told.size());
      told.forEach(server -> WireWriter.vInt(out, server));
    }
  }

  private static byte[] taken(ByteBuf out) {
    byte[] bytes = ByteBufUtil.getBytes(out);
    out.clear();
    return bytes;
  }

  /**
   * The topology of a cache that several servers share.
   *
   * @return null if there is nothing to send: no server has announced its address yet
   */
  static @Nullable TopologySection of(ClientTopology topology) {
    return topology.servers().isEmpty()
        ? null
        : new TopologySection(topology.epoch(), topology.servers(), topology.owners());
  }

  /**
   * The topology of a cache that is on this server alone, by the address that the client itself
   * used.
   *
   * @param local the address of the connection on this side
   * @return null if there is nothing to send: for local caches, and for an unknown address
   */
  static @Nullable TopologySection ofOneServer(CacheConfig config, @Nullable SocketAddress local) {
    Endpoint reached = TopologySections.endpoint(local);
    if (config.mode() == CacheMode.LOCAL || reached == null) {
      return null;
    }
    return new TopologySection(
        NO_EPOCH,
        List.of(reached),
        Collections.nCopies(isPlaced(config.mode()) ? config.segments() : 0, SOME_OWNER));
  }

  /** Whether keys have owners. */
  private static boolean isPlaced(CacheMode mode) {
    return switch (mode) {
      case REPL_SYNC, REPL_ASYNC, DIST_SYNC, DIST_ASYNC -> true;
      case LOCAL, INVALIDATION_SYNC, INVALIDATION_ASYNC -> false;
    };
  }

  /** Whether the answer to a request must contain this. */
  boolean isDue(Request request) {
    return request.topologyId != id && request.intelligence >= HotRod.INTELLIGENCE_TOPOLOGY;
  }

  /** Appends the section. */
  void writeTo(ByteBuf out, int intelligence) {
    out.writeBytes(servers);
    if (intelligence >= HotRod.INTELLIGENCE_HASH) {
      out.writeBytes(segments);
    }
  }
}
