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
 * @param bindPort the port for it; the hundredth one after it is used too, to notice dead processes
 * @param morePorts how many of the following ports are tried if that one is taken, 0 to 99; others
 *     have to be able to find this node all the same, so 0 beside a list of seeds
 * @param discovery how the others are found; if there is a {@code stackFile}, its discovery is used
 *     in place of this, and a list of seeds given here says only who may found
 * @param stackFile a stack of JGroups in XML to be used in place of the usual one, or null; the
 *     address, the ports and the discovery are then those of the file
 * @param tls what secures the connections, or null; a {@code stackFile} needs the transport TCP for
 *     it
 */
public record TransportConfig(
    String clusterName,
    String bindAddress,
    int bindPort,
    int morePorts,
    Discovery discovery,
    @Nullable Path stackFile,
    @Nullable TransportTls tls) {
  /** The usual number of ports that are tried after the first one, if nobody chose one. */
  public static final int MORE_PORTS_USUAL = 49;

  /** Further ones may be those that notice dead processes. */
  private static final int MORE_PORTS_MAX = 99;

  private static final int NAME_LENGTH_MAX = 100;

  /** Checks the name, the ports, and that TLS is asked for only where it can be had. */
  public TransportConfig {
    if (clusterName.isBlank() || clusterName.length() > NAME_LENGTH_MAX) {
      throw new InvalidRequestException(
          "cluster name not valid: name=%s, length=%d; give 1 to %d characters"
              .formatted(clusterName, clusterName.length(), NAME_LENGTH_MAX));
    }
    if (morePorts < 0 || morePorts > MORE_PORTS_MAX) {
      throw new InvalidRequestException(
          "number of ports not valid: morePorts=%d; give 0 to %d"
              .formatted(morePorts, MORE_PORTS_MAX));
    }
    if (tls != null && discovery instanceof Discovery.SameProcess && stackFile == null) {
      throw new InvalidRequestException(
          "no connections to secure: discovery=SameProcess; use another one, or no TLS");
    }
  }

  /** One port, and connections that are not secured. */
  public TransportConfig(
      String clusterName,
      String bindAddress,
      int bindPort,
      Discovery discovery,
      @Nullable Path stackFile) {
    this(clusterName, bindAddress, bindPort, 0, discovery, stackFile, null);
  }
}
