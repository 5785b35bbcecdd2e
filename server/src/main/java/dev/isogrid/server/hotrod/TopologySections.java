package dev.isogrid.server.hotrod;

import dev.isogrid.node.ClientTopology;
import dev.isogrid.node.ClientTopology.Endpoint;
import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.topology.Topology;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The topologies of clustered caches for clients: made once per change, whatever the number of
 * connections. Thread-safe.
 *
 * <p>Clients receive the addresses that the servers announce. A single server without an announced
 * address sends each client the address that the client itself used.
 */
final class TopologySections {
  /** Caches times addresses of this machine; a dropped section is made again. */
  private static final int KEPT_MAX = 4096;

  private final Supplier<@Nullable Topology> topology;
  private final OwnEndpoint ownEndpoint;
  private final ConcurrentHashMap<Place, Told> kept = new ConcurrentHashMap<>();

  /**
   * A cache, and the address by which a client reached this server; null if that does not matter.
   */
  private record Place(String cache, @Nullable Endpoint reachedAt) {}

  /**
   * The section as long as the topology does not change.
   *
   * @param from the topology
   * @param content the part of the topology that matters to clients; null if the cache is not in it
   * @param section null if there is nothing to send
   */
  record Told(
      @Nullable Topology from,
      @Nullable ClientTopology content,
      @Nullable TopologySection section) {
    /** The initial state. */
    static final Told NOTHING = new Told(null, null, null);
  }

  /**
   * Makes the sections of a server.
   *
   * @param topology supplies the newest topology, or null if there is none; called per reply
   * @param ownEndpoint the address that this server announces
   */
  TopologySections(Supplier<@Nullable Topology> topology, OwnEndpoint ownEndpoint) {
    this.topology = topology;
    this.ownEndpoint = ownEndpoint;
  }

  /**
   * The current section.
   *
   * @param last the last result for the same cache and connection
   * @param local the address of the connection on this side
   */
  Told told(Told last, String cache, @Nullable SocketAddress local) {
    Topology now = topology.get();
    return isSame(now, last.from) ? last : refreshed(now, cache, local);
  }

  @SuppressWarnings("ReferenceEquality") // each topology is a new object; to compare all is slow
  private static boolean isSame(@Nullable Topology one, @Nullable Topology other) {
    return one == other;
  }

  private Told refreshed(@Nullable Topology now, String cache, @Nullable SocketAddress local) {
    if (now == null) {
      return Told.NOTHING;
    }
    Place place = new Place(cache, isOwnAlone(now) ? endpoint(local) : null);
    if (kept.size() >= KEPT_MAX) {
      kept.clear();
    }
    Told told = kept.compute(place, (_, before) -> next(before, now, place));
    if (told.content == null) {
      kept.remove(place, told);
    }
    return told;
  }

  /** Whether this server is the only one and has no announced address. */
  private boolean isOwnAlone(Topology now) {
    return !ownEndpoint.isChosen()
        && now.members().size() == 1
        && now.members().get(0).profile().endpoint().equals(ownEndpoint.text());
  }

  private static Told next(@Nullable Told before, Topology now, Place place) {
    if (before != null && before.from != null && before.from.epoch() >= now.epoch()) {
      return before; // another connection knows more
    }
    ClientTopology content = ClientTopology.of(now, place.cache);
    if (content != null && place.reachedAt != null) {
      content = content.ofOneServer(place.reachedAt);
    }
    if (before != null && Objects.equals(before.content, content)) {
      return new Told(now, content, before.section);
    }
    return new Told(now, content, content == null ? null : TopologySection.of(content));
  }

  /** An address in the form for clients, or null if there is none. */
  static @Nullable Endpoint endpoint(@Nullable SocketAddress local) {
    if (!(local instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return null;
    }
    String host = inet.getAddress().getHostAddress();
    int scope = host.indexOf('%');
    return new Endpoint(scope < 0 ? host : host.substring(0, scope), inet.getPort());
  }
}
