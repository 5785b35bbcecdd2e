package dev.isogrid.config;

import dev.isogrid.api.ClusterDiscovery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a document says of how a server's node reaches the others.
 *
 * @param discovery how others are found, or null
 * @param seeds addresses of nodes to join; empty for none
 * @param zone where the server runs, as {@code site/rack/machine}, or null
 * @param stackFile a stack of JGroups as the document writes its path, or null
 * @param realm the realm whose key and trust secure the connections, or null for none
 * @param secretFile a file with the secret of the cluster as the document writes its path, or null
 * @param joinTimeoutMillis how long the start waits for the cluster, or null
 * @param isUsualStack whether {@code discovery} is only what the stack {@code tcp} comes with,
 *     which documents name whether they are meant for a cluster or not
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
  /** Nothing said. */
  public static final ClusterTransport NONE =
      new ClusterTransport(null, List.of(), null, null, null, null, null, false);

  /** Copies the list. */
  public ClusterTransport {
    seeds = List.copyOf(seeds);
  }

  /** Whether the document says how to find or to trust other nodes. */
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
