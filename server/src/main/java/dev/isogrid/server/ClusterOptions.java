package dev.isogrid.server;

import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.WhenGone;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line for the cluster. A missing option is null, false or empty.
 *
 * @param isOff {@code --no-cluster}: the server is alone
 * @param seeds {@code --join}: addresses of nodes
 * @param discovery {@code --discovery}: how other nodes are found
 * @param bindAddress {@code --cluster-bind}: the address or host name to listen on for other nodes
 * @param bindPort {@code --cluster-port}: 1 to 65,535
 * @param found {@code --found}: whether to found a cluster even if other nodes may be alive
 * @param waits {@code --found-after}, {@code --join-timeout}, {@code --leave-timeout}
 * @param stackFile {@code --cluster-stack}: a stack of JGroups
 * @param tls {@code --cluster-tls-...}: the encryption of connections between nodes
 * @param secretFile {@code --cluster-secret-file}: the secret that replaces it
 * @param isInsecure {@code --cluster-insecure}: whether untrusted hosts may reach the cluster port
 * @param allowedPackages {@code --allow-packages}: packages whose classes nodes may send; or null
 * @param whenGone {@code --when-gone}: the meaning of a refused connection
 * @param zone {@code --zone}: the zone of the server
 * @param rebalance {@code --rebalance-...}: the limits of rebalancing
 * @param capacity {@code --capacity}: its share of the entries, 0 or more
 */
record ClusterOptions( // tidy: the options of one command line
    boolean isOff,
    List<String> seeds,
    @Nullable ClusterDiscovery discovery,
    @Nullable String bindAddress,
    @Nullable Integer bindPort,
    boolean found,
    Waits waits,
    @Nullable String stackFile,
    @Nullable ClusterTls tls,
    @Nullable Path secretFile,
    boolean isInsecure,
    @Nullable List<String> allowedPackages,
    @Nullable WhenGone whenGone,
    @Nullable String zone,
    @Nullable Float capacity,
    Rebalance rebalance) {
  /**
   * The longest waits for the cluster at the start and at the end.
   *
   * @param foundAfterMillis {@code --found-after}: the time to look for a living cluster, or null
   * @param joinMillis {@code --join-timeout}: the time to become a member, or null
   * @param leaveMillis {@code --leave-timeout}: the time to hand entries over, or null
   */
  record Waits(
      @Nullable Long foundAfterMillis, @Nullable Long joinMillis, @Nullable Long leaveMillis) {
    /** No options. */
    static final Waits NONE = new Waits(null, null, null);
  }

  /**
   * The limits of rebalancing.
   *
   * @param bytesPerSecondMax {@code --rebalance-rate}, or null
   * @param latencyMaxMillis {@code --rebalance-latency}, or null; 0 for no limit
   */
  record Rebalance(@Nullable Long bytesPerSecondMax, @Nullable Long latencyMaxMillis) {
    /** No options. */
    static final Rebalance NONE = new Rebalance(null, null);
  }

  /** No options. */
  static final ClusterOptions NONE =
      new ClusterOptions(
          false,
          List.of(),
          null,
          null,
          null,
          false,
          Waits.NONE,
          null,
          null,
          null,
          false,
          null,
          null,
          null,
          null,
          Rebalance.NONE);

  ClusterOptions {
    seeds = List.copyOf(seeds);
    allowedPackages = allowedPackages == null ? null : List.copyOf(allowedPackages);
  }

  /** Whether an option is set that makes sense in a cluster only. */
  boolean wantsCluster() {
    return !seeds.isEmpty()
        || discovery != null
        || tls != null
        || secretFile != null
        || isInsecure
        || whenGone != null
        || bindAddress != null
        || bindPort != null
        || found
        || !waits.equals(Waits.NONE)
        || stackFile != null
        || zone != null
        || capacity != null
        || !rebalance.equals(Rebalance.NONE);
  }
}
