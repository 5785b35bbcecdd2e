package dev.isogrid.cluster;

import dev.isogrid.api.InvalidRequestException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where a node listens for the others of its cluster.
 *
 * @param host name or address
 * @param port 1 to 65535
 */
public record SeedAddress(String host, int port) {
  private static final int PORT_MAX = 0xFFFF;

  /** Checks the port. */
  public SeedAddress {
    if (host.isBlank() || port < 1 || port > PORT_MAX) {
      throw new InvalidRequestException(
          "address of a node not valid: host=%s, port=%d; give host and port"
              .formatted(host, port));
    }
  }

  /** As JGroups writes it. */
  String inBrackets() {
    return host + "[" + port + "]";
  }

  /** Whether this is the address of a node that listens at another one, which is no name. */
  boolean isAt(SeedAddress listening) {
    try {
      return port == listening.port
          && InetAddress.getByName(host).getHostAddress().equals(listening.host);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
