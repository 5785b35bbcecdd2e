package dev.isogrid.server;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses in the form that users write. */
final class HostPort {
  private HostPort() {}

  /** {@code host:port}, or {@code [host]:port} for IPv6, there with the zeros left out. */
  static String of(InetSocketAddress address) {
    String host =
        address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
    return address.getAddress() instanceof Inet6Address
        ? "[" + host.replaceFirst("(^|:)0(:0)+(:|$)", "::") + "]:" + address.getPort()
        : host + ":" + address.getPort();
  }
}
