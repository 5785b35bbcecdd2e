package dev.isogrid.cluster;

import dev.isogrid.api.InvalidRequestException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

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

  /** The address in a seat, which is a name, an @ and host:port; null if there is none. */
  public static @Nullable SeedAddress ofSeat(String seat) {
    int at = seat.lastIndexOf('@');
    int colon = seat.lastIndexOf(':');
    try {
      return at < 0 || colon < at
          ? null
          : new SeedAddress(
              seat.substring(at + 1, colon), Integer.parseInt(seat.substring(colon + 1)));
    } catch (NumberFormatException | InvalidRequestException otherForm) {
      return null;
    }
  }

  /** The socket address, or null if the host is a name that would have to be looked up. */
  @Nullable InetSocketAddress literal() {
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    } catch (IllegalArgumentException name) {
      return null;
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
