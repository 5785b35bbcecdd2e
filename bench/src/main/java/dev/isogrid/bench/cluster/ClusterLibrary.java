package dev.isogrid.bench.cluster;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.server.Contestant;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is measured. */
enum ClusterLibrary {
  /** This product. */
  ISOGRID("Isogrid"),

  /** The peer. */
  INFINISPAN("Infinispan");

  private final String label;

  ClusterLibrary(String label) {
    this.label = label;
  }

  /**
   * The one of a name on the command line.
   *
   * @throws InvalidRequestException if there is none, naming those that there are
   */
  static ClusterLibrary of(String id) {
    return Arrays.stream(values())
        .filter(library -> library.id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "no such library: %s; there are %s"
                    .formatted(id, Arrays.stream(values()).map(ClusterLibrary::id).toList())));
  }

  /** The name on the command line. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** The class path of a node's process. */
  String classPath(Checkout checkout) throws IOException {
    return switch (this) {
      case ISOGRID -> System.getProperty("java.class.path");
      case INFINISPAN -> Contestant.infinispanClassPath(checkout);
    };
  }

  /**
   * Makes a node in this process, and lets it join if its caches are distributed.
   *
   * @param port of the loopback address, for the other nodes
   * @param seeds the ports of the nodes to ask for the cluster
   * @param kind of the caches
   */
  ClusterMember open(String name, int port, List<Integer> seeds, CacheKind kind)
      throws IOException {
    return switch (this) {
      case ISOGRID -> IsogridMember.open(name, port, seeds, kind);
      case INFINISPAN -> InfinispanMember.open(name, port, seeds, kind);
    };
  }
}
