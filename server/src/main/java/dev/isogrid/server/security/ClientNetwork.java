package dev.isogrid.server.security;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The networks of clients: what limits per machine count. */
public final class ClientNetwork {
  private ClientNetwork() {}

  /**
   * The network of an address, or its text if it is none of the internet protocol.
   *
   * @param remote null if it is unknown
   */
  public static String of(@Nullable SocketAddress remote) {
    String network = orNull(remote);
    return network == null ? String.valueOf(remote) : network;
  }

  /**
   * The network of an address, or null if it is none of the internet protocol. One machine usually
   * has all addresses of IPv6 that begin with the same 64 bits.
   *
   * @param remote null if it is unknown
   */
  public static @Nullable String orNull(@Nullable SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return null;
    }
    InetAddress address = inet.getAddress();
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(address.getAddress(), 0, Long.BYTES) + "/64"
        : address.getHostAddress();
  }
}
