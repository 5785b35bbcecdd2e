package dev.isogrid.server;

import org.jspecify.annotations.Nullable;

/**
 * The options of the command line. A missing option is null.
 *
 * @param bindAddress {@code --bind}: the address or host name to listen on
 * @param port {@code --port}: 0 to 65,535, 0 for any free one
 * @param memcachedPort {@code --memcached-port}: 0 to 65,535, 0 for none
 * @param configFile {@code --config}: a configuration document
 * @param nodeName {@code --node-name}
 * @param clusterName {@code --cluster}
 * @param dataDirectory {@code --data}: the directory of permanent caches' configurations
 * @param tasksDirectory {@code --tasks}: the folder of the jars of tasks
 * @param offHeapMaxBytes {@code --off-heap-max}: the most off-heap memory of all caches
 * @param streamedValueMax {@code --streamed-value-max}: the largest value in chunks
 * @param memcachedItemMax {@code --memcached-item-max}: the largest item of memcached clients
 * @param externalAddress {@code --external-address}: the host by which clients reach this server
 * @param externalPort {@code --external-port}: the port by which clients reach it, 1 to 65,535
 * @param cluster the options for the cluster
 * @param security the options for security
 * @param logging the options for the log
 * @param reporting the options for reports
 */
record ServerOptions( // tidy: the options of one command line
    @Nullable String bindAddress,
    @Nullable Integer port,
    @Nullable Integer memcachedPort,
    @Nullable String configFile,
    @Nullable String nodeName,
    @Nullable String clusterName,
    @Nullable String dataDirectory,
    @Nullable String tasksDirectory,
    @Nullable Long offHeapMaxBytes,
    @Nullable Integer streamedValueMax,
    @Nullable Integer memcachedItemMax,
    @Nullable String externalAddress,
    @Nullable Integer externalPort,
    ClusterOptions cluster,
    SecurityOptions security,
    LogOptions logging,
    Reporting reporting) {
  /** An empty command line. */
  static final ServerOptions NONE =
      new ServerOptions(
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          ClusterOptions.NONE,
          SecurityOptions.NONE,
          LogOptions.NONE,
          Reporting.NONE);
}
