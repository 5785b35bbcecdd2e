package dev.isogrid.bench.cluster;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.server.Contestant;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;

/** The libraries that are measured. */
enum ClusterLibrary {
  /** This product. */
  ISOGRID("Isogrid"),

  /** The peer. */
  INFINISPAN("Infinispan"),

  /** The last version of the peer that had map/reduce. */
  INFINISPAN_8("Infinispan 8.2"),

  /** The messages between nodes, and nothing else. */
  FLOOR("messages alone");

  /** The packages that the old version opens by reflection. */
  private static final List<String> OPENED =
      List.of("lang", "io", "util", "util.concurrent", "util.concurrent.locks");

  /** The libraries that the benchmarks of caches and streams measure. */
  static final Set<ClusterLibrary> CURRENT =
      Collections.unmodifiableSet(EnumSet.of(ISOGRID, INFINISPAN));

  /** Those, and what no cluster can be faster than. */
  static final Set<ClusterLibrary> WITH_FLOOR =
      Collections.unmodifiableSet(EnumSet.of(ISOGRID, INFINISPAN, FLOOR));

  private final String label;

  ClusterLibrary(String label) {
    this.label = label;
  }

  /**
   * The one of a name on the command line.
   *
   * @param possible the libraries of a benchmark
   * @throws InvalidRequestException if no library has this name; the message lists the names
   */
  static ClusterLibrary of(String id, Set<ClusterLibrary> possible) {
    return possible.stream()
        .filter(library -> library.id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "no such library: %s; there are %s"
                    .formatted(id, possible.stream().map(ClusterLibrary::id).toList())));
  }

  /** The name on the command line. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** The class path of a node's process. */
  String classPath(Checkout checkout) throws IOException {
    return switch (this) {
      case ISOGRID, FLOOR -> System.getProperty("java.class.path");
      case INFINISPAN -> Contestant.infinispanClassPath(checkout);
      case INFINISPAN_8 -> Contestant.infinispan8ClassPath(checkout);
    };
  }

  /** The additional options of a node's JVM. */
  List<String> jvmOptions() {
    return this == INFINISPAN_8
        ? OPENED.stream()
            .map(opened -> "--add-opens=java.base/java." + opened + "=ALL-UNNAMED")
            .toList()
        : List.of();
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
      case FLOOR -> FloorMember.open(port, seeds);
      case INFINISPAN_8 ->
          ServiceLoader.load(MemberOpener.class)
              .findFirst()
              .orElseThrow()
              .open(name, port, seeds, kind);
    };
  }
}
