package dev.isogrid.cluster;

import dev.isogrid.api.InvalidRequestException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a node reaches the others of its cluster.
 *
 * @param clusterName nodes of other names are not listened to; 1 to 100 characters
 * @param bindAddress where this node listens: an address, a host name, or a word of JGroups such as
 *     {@code site_local} or {@code match-interface:eth0}
 * @param bindPort the port for it; the next hundredth one is used too, to notice dead processes
 * @param discovery how the others are found; if there is a {@code stackFile}, its discovery is used
 *     in place of this, and a list of seeds given here says only who may found
 * @param stackFile a stack of JGroups in XML to be used in place of the usual one, or null
 */
public record TransportConfig(
    String clusterName,
    String bindAddress,
    int bindPort,
    Discovery discovery,
    @Nullable Path stackFile) {
  private static final int NAME_LENGTH_MAX = 100;

  /** Checks the name. */
  public TransportConfig {
    if (clusterName.isBlank() || clusterName.length() > NAME_LENGTH_MAX) {
      throw new InvalidRequestException(
          "cluster name not valid: name=%s, length=%d; give 1 to %d characters"
              .formatted(clusterName, clusterName.length(), NAME_LENGTH_MAX));
    }
  }
}
