package dev.isogrid.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says of the cluster. What it does not say is null, false or empty.
 *
 * @param isOff {@code --no-cluster}: the server is alone
 * @param seeds {@code --join}: addresses of nodes
 * @param bindAddress {@code --cluster-bind}: the address or host name to listen on for other nodes
 * @param bindPort {@code --cluster-port}: 1 to 65,535
 * @param found {@code --found}: whether to found a cluster whoever else may be alive
 * @param stackFile {@code --cluster-stack}: a stack of JGroups
 * @param zone {@code --zone}: where the server runs
 * @param capacity {@code --capacity}: its share of the entries, 0 or more
 */
record ClusterOptions( // tidy: the options of one command line
    boolean isOff,
    List<String> seeds,
    @Nullable String bindAddress,
    @Nullable Integer bindPort,
    boolean found,
    @Nullable String stackFile,
    @Nullable String zone,
    @Nullable Float capacity) {
  /** Nothing said. */
  static final ClusterOptions NONE =
      new ClusterOptions(false, List.of(), null, null, false, null, null, null);

  ClusterOptions {
    seeds = List.copyOf(seeds);
  }

  /** Whether something is said that makes sense in a cluster only. */
  boolean wantsCluster() {
    return !seeds.isEmpty()
        || bindAddress != null
        || bindPort != null
        || found
        || stackFile != null
        || zone != null
        || capacity != null;
  }
}
