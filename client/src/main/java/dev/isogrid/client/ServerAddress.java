package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a server listens. Two addresses are the same if their texts are: names are not resolved.
 *
 * @param host a name or an address; IPv6 without brackets
 * @param port 1 to 65,535
 */
public record ServerAddress(String host, int port) {
  private static final int PORT_MAX = 65_535;

  /** Checks the port. */
  public ServerAddress {
    if (host.isEmpty() || port < 1 || port > PORT_MAX) {
      throw new IllegalArgumentException(
          "invalid server address: host=%s, port=%d".formatted(host, port));
    }
  }

  /**
   * Reads a list as in {@code a:11222;b;[::1]:11223}; commas separate as well, and the port may be
   * left out.
   *
   * @throws IllegalArgumentException if it is no such list
   */
  public static List<ServerAddress> parseList(String text) {
    List<ServerAddress> addresses = new ArrayList<>();
    for (String part : text.split("[;,]", -1)) {
      if (!part.isBlank()) {
        addresses.add(parse(part.strip()));
      }
    }
    return addresses;
  }

  private static ServerAddress parse(String text) {
    int bracket = text.indexOf(']');
    int colon = text.indexOf(':', Math.max(bracket, 0));
    String host = colon < 0 ? text : text.substring(0, colon);
    if (bracket > 0 && host.startsWith("[")) {
      host = host.substring(1, bracket);
    }
    try {
      return new ServerAddress(
          host, colon < 0 ? HotRod.DEFAULT_PORT : Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException notNumber) {
      throw new IllegalArgumentException(
          "invalid port: address=" + text + "; write host:port", notNumber);
    }
  }

  /** As {@code host:port}. */
  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }
}
