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
 * @param joinTimeoutMillis how long the start waits for the cluster, or null
 */
public record ClusterTransport( // tidy: the attributes of an element
    @Nullable ClusterDiscovery discovery,
    List<String> seeds,
    @Nullable String zone,
    @Nullable String stackFile,
    ServerSecurity.@Nullable Realm realm,
    @Nullable Long joinTimeoutMillis) {
  /** Nothing said. */
  static final ClusterTransport NONE =
      new ClusterTransport(null, List.of(), null, null, null, null);

  /** Copies the list. */
  public ClusterTransport {
    seeds = List.copyOf(seeds);
  }
}
