package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.wire.HotRod;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a connection tells about the topology of a cache: one server, by the address that the client
 * itself used, owns all segments. Immutable.
 *
 * <pre>
 * vInt   topology id
 * vInt   number of servers, then for each  string host, u16 port
 * only for hash-aware clients:
 * u8     hash function; 0 for none
 * vInt   number of segments, then for each  u8 number of owners, vInt index of each in the list
 * </pre>
 *
 * <p>The id is a hash of all that is told, so it changes if and only if that does.
 */
final class TopologySection {
  private final int id;
  private final byte[] host;
  private final int port;
  private final int segments;

  private TopologySection(byte[] host, int port, int segments) {
    this.host = host;
    this.port = port;
    this.segments = segments;
    int hash = Objects.hash(Arrays.hashCode(host), port, segments);
    this.id = HotRod.TOPOLOGY_FIRST + (hash & Integer.MAX_VALUE >>> 1);
  }

  /**
   * The topology of a cache.
   *
   * @param local the address of the connection on this side
   * @return null if clients are told nothing: of local caches, and where the address is unknown
   */
  static @Nullable TopologySection of(CacheConfig config, @Nullable SocketAddress local) {
    if (config.mode() == CacheMode.LOCAL
        || !(local instanceof InetSocketAddress inet)
        || inet.getAddress() == null) {
      return null;
    }
    String host = inet.getAddress().getHostAddress();
    int scope = host.indexOf('%');
    String reachable = scope < 0 ? host : host.substring(0, scope);
    return new TopologySection(
        reachable.getBytes(StandardCharsets.US_ASCII),
        inet.getPort(),
        isPlaced(config.mode()) ? config.segments() : 0);
  }

  /** Whether keys have owners. */
  private static boolean isPlaced(CacheMode mode) {
    return switch (mode) {
      case REPL_SYNC, REPL_ASYNC, DIST_SYNC, DIST_ASYNC -> true;
      case LOCAL, INVALIDATION_SYNC, INVALIDATION_ASYNC -> false;
    };
  }

  /** Whether the answer to a request has to carry this. */
  boolean isDue(Request request) {
    return request.topologyId != id && request.intelligence >= HotRod.INTELLIGENCE_TOPOLOGY;
  }

  /** Appends the section. */
  void writeTo(ByteBuf out, int intelligence) {
    WireWriter.vInt(out, id);
    WireWriter.vInt(out, 1);
    WireWriter.vInt(out, host.length);
    out.writeBytes(host);
    out.writeShort(port);
    if (intelligence < HotRod.INTELLIGENCE_HASH) {
      return;
    }
    out.writeByte(segments == 0 ? HotRod.HASH_NONE : HotRod.HASH_SEGMENTS);
    WireWriter.vInt(out, segments);
    for (int segment = 0; segment < segments; segment++) {
      out.writeByte(1);
      WireWriter.vInt(out, 0);
    }
  }
}
