package dev.isogrid.node;

import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topology of a clustered cache for clients: the servers that they can reach, and which of them
 * keep each segment. The same on all nodes that know the same topology. Immutable.
 *
 * @param epoch the epoch at which the owners changed last, or a server came; 1 or more. It never
 *     gets smaller while the cluster lives
 * @param servers the members that told where clients reach them, in the order in which they joined
 * @param owners for each segment the places of its owners in {@code servers}, the primary first,
 *     then the replicas that are in sync; empty if none of them can be reached by clients
 */
public record ClientTopology(int epoch, List<Endpoint> servers, List<List<Integer>> owners) {
  private static final int PORT_MAX = 0xFFFF;

  /** Copies the lists. */
  public ClientTopology {
    servers = List.copyOf(servers);
    owners = owners.stream().map(List::copyOf).toList();
  }

  /**
   * Where clients reach a server.
   *
   * @param host its name or address, one of IPv6 without brackets
   * @param port 1 to 65,535
   */
  public record Endpoint(String host, int port) {
    /**
     * Reads {@code host:port}, where an address of IPv6 stands in brackets.
     *
     * @return null if it is none
     */
    public static @Nullable Endpoint of(String text) {
      int colon = text.lastIndexOf(':');
      if (colon < 1) {
        return null;
      }
      String host = text.substring(0, colon);
      boolean bracketed = host.length() > 2 && host.startsWith("[") && host.endsWith("]");
      int port;
      try {
        port = Integer.parseInt(text.substring(colon + 1));
      } catch (NumberFormatException _) {
        return null;
      }
      return port < 1 || port > PORT_MAX
          ? null
          : new Endpoint(bracketed ? host.substring(1, host.length() - 1) : host, port);
    }

    /** The text that {@link #of} reads. */
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /**
   * The topology of a cache for clients.
   *
   * @return null if the cluster has no such cache
   */
  public static @Nullable ClientTopology of(Topology topology, String cacheName) {
    CacheDefinition cache = topology.cache(cacheName);
    if (cache == null) {
      return null;
    }
    List<Endpoint> servers = new ArrayList<>();
    Map<NodeId, Integer> places = new HashMap<>();
    int epoch = 1;
    for (Member member : topology.members()) {
      Endpoint endpoint = Endpoint.of(member.profile().endpoint());
      if (endpoint != null) {
        places.put(member.id(), servers.size());
        servers.add(endpoint);
        epoch = Math.max(epoch, member.profileEpoch());
      }
    }
    int first = topology.firstSegment(cache.group());
    int count = topology.groups().get(cache.group()).segmentCount();
    List<List<Integer>> owners = new ArrayList<>(count);
    for (SegmentOwners segment : topology.segments().subList(first, first + count)) {
      owners.add(places(segment, places));
      epoch = Math.max(epoch, segment.segEpoch());
    }
    return new ClientTopology(epoch, servers, owners);
  }

  /** The same if all segments were on one server. */
  public ClientTopology ofOneServer(Endpoint server) {
    return new ClientTopology(
        epoch, List.of(server), Collections.nCopies(owners.size(), List.of(0)));
  }

  private static List<Integer> places(SegmentOwners segment, Map<NodeId, Integer> servers) {
    List<Integer> owners = new ArrayList<>(segment.isr().size());
    NodeId primary = segment.primary();
    Integer first = primary == null ? null : servers.get(primary);
    if (first != null) {
      owners.add(first);
    }
    for (NodeId replica : segment.isr()) {
      Integer place = servers.get(replica);
      if (place != null && !place.equals(first)) {
        owners.add(place);
      }
    }
    return owners;
  }
}
