package dev.isogrid.node;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.ClusterSecret;
import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.WhenGone;
import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.TlsKeys;
import dev.isogrid.cluster.TransportTls;
import dev.isogrid.engine.CopyLimits;
import dev.isogrid.topology.ProtocolVersions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the transport's settings of the users' configuration of a cluster. */
final class ClusterWiring {
  /**
   * The newest version of the protocol that tests let a node say it speaks, to roll a cluster to a
   * version that is still to come. It has the layout of this build's newest.
   */
  private static final String NEWEST_IN_TESTS = "isogrid.test.protocol-newest";

  private ClusterWiring() {}

  /** The versions of the protocol that a node speaks: those of the build, but in tests. */
  static ProtocolVersions speaks() {
    ProtocolVersions build = ProtocolVersions.OF_BUILD;
    int newest = Integer.getInteger(NEWEST_IN_TESTS, build.newest());
    return new ProtocolVersions(build.oldest(), newest);
  }

  static Discovery discovery(ClusterConfig config) {
    return switch (config.discovery()) {
      case null ->
          config.seeds().isEmpty()
              ? new Discovery.Nobody()
              : new Discovery.Seeds(config.seeds().stream().map(ClusterWiring::seed).toList());
      case ClusterDiscovery.Multicast all -> new Discovery.Multicast(all.address(), all.port());
      case ClusterDiscovery.Dns name ->
          new Discovery.Dns(name.query(), name.recordType(), name.server());
      case ClusterDiscovery.SharedFolder shared -> new Discovery.SharedFolder(shared.folder());
      case ClusterDiscovery.Database table ->
          new Discovery.Database(table.url(), table.user(), table.password(), table.driver());
    };
  }

  static @Nullable TransportTls tls(ClusterConfig config) {
    ClusterSecret secret = config.secret();
    if (secret != null) {
      return new TransportTls.Secret(secret.text());
    }
    ClusterTls tls = config.tls();
    return tls == null
        ? null
        : new TransportTls.Keys(
            new TlsKeys.StoreFile(tls.keyStore(), tls.keyStorePassword()),
            new TlsKeys.StoreFile(tls.trustStore(), tls.trustStorePassword()));
  }

  static CopyLimits copies(ClusterConfig config) {
    long bytes = config.rebalanceBytesPerSecondMax();
    long millis = config.rebalanceLatencyMaxMillis();
    return new CopyLimits(
        bytes == 0 ? Long.MAX_VALUE : bytes,
        millis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millis));
  }

  static GonePolicy gone(WhenGone whenGone) {
    return switch (whenGone) {
      case IGNORED -> GonePolicy.IGNORED;
      case OF_TWO -> GonePolicy.OF_TWO;
      case ALWAYS -> GonePolicy.ALWAYS;
    };
  }

  /** Names what the next process shares with this one, if it is started in the same way. */
  static String seat(String configuredName, @Nullable SeedAddress at) {
    return at == null ? "" : configuredName + "@" + at;
  }

  /**
   * Whether the transport can look for a node where it listened: it has a list of addresses, or
   * none at all.
   */
  private static boolean looksForPeers(ClusterConfig config) {
    return config.discovery() == null && config.stackFile() == null;
  }

  /** Where a node looks for the members of its former cluster. Blocks. */
  static List<SeedAddress> peers(ClusterConfig config, @Nullable PeerFile file) {
    return file == null || !looksForPeers(config) ? List.of() : file.read();
  }

  /** When a node that listens somewhere may found a cluster. */
  static FoundingRules founding(
      ClusterConfig config,
      Discovery discovery,
      @Nullable SeedAddress own,
      List<SeedAddress> peers) {
    long lookNanos = lookNanos(config, discovery, peers);
    return FoundingRules.of(discovery, own, config.found(), lookNanos, peers);
  }

  /** Where a transport looks for others: with a list, also where a node's peers listened. */
  static Discovery withPeers(Discovery discovery, List<SeedAddress> peers) {
    return switch (discovery) {
      case Discovery.Nobody _ when !peers.isEmpty() -> new Discovery.Seeds(peers);
      case Discovery.Seeds list ->
          new Discovery.Seeds(
              Stream.concat(list.seeds().stream(), peers.stream()).distinct().toList());
      case Discovery.Nobody _,
          Discovery.Multicast _,
          Discovery.Dns _,
          Discovery.SharedFolder _,
          Discovery.Database _,
          Discovery.SameProcess _ ->
          discovery;
    };
  }

  /** How long a node looks for a living cluster before it founds one. */
  static long lookNanos(ClusterConfig config, Discovery discovery, List<SeedAddress> peers) {
    boolean isTold =
        switch (discovery) {
          case Discovery.Nobody _ -> config.stackFile() == null;
          case Discovery.Seeds _, Discovery.SameProcess _ -> true;
          case Discovery.Multicast _,
              Discovery.Dns _,
              Discovery.SharedFolder _,
              Discovery.Database _ ->
              false;
        };
    return isTold && peers.isEmpty() ? 0 : TimeUnit.MILLISECONDS.toNanos(config.foundAfterMillis());
  }

  /** Reads {@code host:port}, {@code host}, {@code [address]:port} or {@code [address]}. */
  static SeedAddress seed(String text) {
    int bracket = text.lastIndexOf(']');
    int colon = text.lastIndexOf(':');
    boolean hasPort = colon > bracket && (bracket >= 0 || text.indexOf(':') == colon);
    String host = hasPort ? text.substring(0, colon) : text;
    if (bracket >= 0 && host.startsWith("[")) {
      host = host.substring(1, bracket);
    }
    try {
      int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : ClusterConfig.PORT;
      return new SeedAddress(host, port);
    } catch (NumberFormatException | InvalidRequestException e) {
      throw new InvalidConfigurationException(
          "invalid cluster configuration: seed=%s; give host:port, with a port from 1 to 65535"
              .formatted(text));
    }
  }
}
