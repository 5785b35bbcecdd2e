package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;

/** Addresses of this machine. Stateless. */
final class HostAddresses {
  private HostAddresses() {}

  /**
   * The address of a host.
   *
   * @param option the option for the message
   * @throws InvalidRequestException if it is unknown
   */
  static InetAddress resolve(String host, String option) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new InvalidRequestException(
          "%s %s is not an address or the name of a host; give one of this machine"
              .formatted(option, host),
          unknown);
    }
  }

  /**
   * The address by which others reach a bound address. For a wildcard address, it is the one that
   * others most likely reach: a site-local address before a public one, IPv4 before IPv6, and the
   * loopback address if there is no other.
   */
  static InetAddress reachable(InetAddress bound) {
    return bound.isAnyLocalAddress() ? best(ofThisMachine()) : bound;
  }

  private static List<InetAddress> ofThisMachine() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(HostAddresses::isUp)
          .flatMap(NetworkInterface::inetAddresses)
          .toList();
    } catch (SocketException _) {
      return List.of(); // then only this machine is sure to be reached
    }
  }

  private static boolean isUp(NetworkInterface network) {
    try {
      return network.isUp() && !network.isPointToPoint();
    } catch (SocketException _) {
      return false;
    }
  }

  /** The address that others most likely reach. */
  static InetAddress best(List<InetAddress> addresses) {
    return addresses.stream()
        .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress() && !a.isMulticastAddress())
        .min(
            Comparator.comparing((InetAddress a) -> !a.isSiteLocalAddress())
                .thenComparing(a -> !(a instanceof Inet4Address)))
        .orElseGet(InetAddress::getLoopbackAddress);
  }

  /** An address as text, without a scope. */
  static String text(InetAddress address) {
    String host = address.getHostAddress();
    int scope = host.indexOf('%');
    return scope < 0 ? host : host.substring(0, scope);
  }
}
