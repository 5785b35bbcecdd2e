package dev.isogrid.config;

import dev.isogrid.api.ClusterDiscovery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a document for the connections between nodes.
 *
 * @param discovery the way to find other nodes, or null
 * @param seeds addresses of nodes to join; empty for none
 * @param zone the place of the server, as {@code site/rack/machine}, or null
 * @param stackFile the path of a JGroups stack in the document, or null
 * @param realm the realm whose key and trust secure the connections, or null for none
 * @param secretFile the path of the file with the cluster's secret in the document, or null
 * @param joinTimeoutMillis the longest wait of the start for the cluster, or null
 * @param isUsualStack whether {@code discovery} comes only from the stack {@code tcp}, which
 *     documents name with or without a cluster
 */
public record ClusterTransport( // tidy: the attributes of an element
    @Nullable ClusterDiscovery discovery,
    List<String> seeds,
    @Nullable String zone,
    @Nullable String stackFile,
    ServerSecurity.@Nullable Realm realm,
    @Nullable String secretFile,
    @Nullable Long joinTimeoutMillis,
    boolean isUsualStack) {
  /** No settings. */
  public static final ClusterTransport NONE =
      new ClusterTransport(null, List.of(), null, null, null, null, null, false);

  /** Copies the list. */
  public ClusterTransport {
    seeds = List.copyOf(seeds);
  }

  /** Whether the document has a way to find or to trust other nodes. */
  public boolean wantsCluster() {
    return (discovery != null && !isUsualStack)
        || !seeds.isEmpty()
        || stackFile != null
        || realm != null
        || secretFile != null;
  }

  /** The same with a realm. */
  ClusterTransport with(ServerSecurity.Realm secured) {
    return new ClusterTransport(
        discovery, seeds, zone, stackFile, secured, secretFile, joinTimeoutMillis, isUsualStack);
  }
}
