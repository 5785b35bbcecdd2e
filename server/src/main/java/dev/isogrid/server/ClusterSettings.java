package dev.isogrid.server;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterSecret;
import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.ForeignConfiguration;
import dev.isogrid.config.ClusterTransport;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.config.ServerSecurity;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Combines the command line and the document for the cluster. The command line wins. */
final class ClusterSettings {
  private ClusterSettings() {}

  /**
   * The configuration of the cluster.
   *
   * @param bindAddress the address for clients
   * @throws InvalidRequestException if a value is wrong
   */
  static ClusterConfig of(
      ServerOptions all, @Nullable ServerDocument document, String bindAddress) {
    ClusterTransport said = document == null ? null : document.transport();
    ClusterConfig.Builder config = bound(all.cluster(), bindAddress);
    Path folder = ConfFolder.of(all.security().conf(), all.dataDirectory());
    if (said != null) {
      setDocumented(config, said, folder);
    }
    setGiven(config, all.cluster());
    return ForeignConfiguration.of(config::build);
  }

  /** The file with the secret, or null if there is none. */
  static @Nullable Path secretFile(ServerOptions all, @Nullable ServerDocument document) {
    String documented = document == null ? null : document.transport().secretFile();
    if (all.cluster().secretFile() != null || documented == null || all.cluster().tls() != null) {
      return all.cluster().secretFile();
    }
    return ConfFolder.of(all.security().conf(), all.dataDirectory()).resolve(documented);
  }

  /** The configuration of a node without a server, from its command line. */
  static ClusterConfig.Builder of(ClusterOptions options, String bindAddress) {
    ClusterConfig.Builder config = bound(options, bindAddress);
    setGiven(config, options);
    return config;
  }

  private static ClusterConfig.Builder bound(ClusterOptions options, String bindAddress) {
    String given = options.bindAddress();
    String option = given == null ? "--bind" : "--cluster-bind";
    InetAddress bound = HostAddresses.resolve(given == null ? bindAddress : given, option);
    ClusterConfig.Builder config =
        ClusterConfig.builder()
            .bindAddress(HostAddresses.text(HostAddresses.reachable(bound)))
            .found(options.found());
    if (options.bindPort() != null) {
      config.bindPort(options.bindPort()).portRange(0);
    }
    return config;
  }

  private static void setDocumented(
      ClusterConfig.Builder config, ClusterTransport said, Path folder) {
    config.seeds(said.seeds()).discovery(said.discovery());
    if (said.zone() != null) {
      config.zone(said.zone());
    }
    if (said.stackFile() != null) {
      config.stackFile(Path.of(said.stackFile()));
    }
    if (said.joinTimeoutMillis() != null) {
      config.joinTimeout(said.joinTimeoutMillis(), TimeUnit.MILLISECONDS);
    }
    if (said.secretFile() != null) {
      config.secret(secret(folder.resolve(said.secretFile())));
    }
    ServerSecurity.Realm realm = said.realm();
    if (realm != null) {
      ServerSecurity.Store key = Objects.requireNonNull(realm.key());
      ServerSecurity.Store trust = Objects.requireNonNull(realm.trust());
      config.tls(
          new ClusterTls(
              folder.resolve(key.path()),
              password(key),
              folder.resolve(trust.path()),
              password(trust)));
    }
  }

  private static ClusterSecret secret(Path file) {
    return ForeignConfiguration.of(() -> ClusterSecret.ofFile(file));
  }

  private static String password(ServerSecurity.Store store) {
    return Objects.requireNonNullElse(store.password(), "");
  }

  private static void setWaits(ClusterConfig.Builder config, ClusterOptions.Waits waits) {
    if (waits.foundAfterMillis() != null) {
      config.foundAfter(waits.foundAfterMillis(), TimeUnit.MILLISECONDS);
    }
    if (waits.joinMillis() != null) {
      config.joinTimeout(waits.joinMillis(), TimeUnit.MILLISECONDS);
    }
    if (waits.leaveMillis() != null) {
      config.leaveTimeout(waits.leaveMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static void setGiven(ClusterConfig.Builder config, ClusterOptions options) {
    if (!options.seeds().isEmpty() || options.discovery() != null) {
      config.seeds(options.seeds()).discovery(options.discovery());
    }
    setWaits(config, options.waits());
    if (options.stackFile() != null) {
      config.stackFile(Path.of(options.stackFile()));
    }
    if (options.tls() != null) {
      config.tls(options.tls()).secret(null);
    }
    if (options.secretFile() != null) {
      config.secret(secret(options.secretFile())).tls(null);
    }
    if (options.whenGone() != null) {
      config.whenGone(options.whenGone());
    }
    if (options.zone() != null) {
      config.zone(options.zone());
    }
    if (options.capacity() != null) {
      config.capacity(options.capacity());
    }
    Long rate = options.rebalance().bytesPerSecondMax();
    if (rate != null) {
      config.rebalanceBytesPerSecond(rate);
    }
    Long latency = options.rebalance().latencyMaxMillis();
    if (latency != null) {
      config.rebalanceLatency(latency, TimeUnit.MILLISECONDS);
    }
  }
}
