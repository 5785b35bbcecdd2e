package dev.isogrid.server.rest;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which web pages may talk to this endpoint through the browsers of their readers: those
 * that come from here, and those on the same machine from the server's port or the port of a
 * console under development. Pure functions.
 */
final class Origins {
  private static final int CONSOLE_PORT = 9000;
  private static final List<String> LOCAL_HOSTS = List.of("localhost", "127.0.0.1", "[::1]");

  private Origins() {}

  /**
   * Whether a page may.
   *
   * @param origin scheme, host and port of the page
   * @param host what the request calls this server, or null
   */
  static boolean isAllowed(String origin, @Nullable String host, Channel channel) {
    String scheme = channel.pipeline().get(SslHandler.class) == null ? "http://" : "https://";
    if (host != null && origin.equalsIgnoreCase(scheme + host)) {
      return true;
    }
    boolean isPlain = origin.startsWith("http://");
    if (!isPlain && !origin.startsWith("https://")) {
      return false;
    }
    int authority = (isPlain ? "http://" : "https://").length();
    for (String local : LOCAL_HOSTS) {
      if (origin.startsWith(local, authority)
          && isAllowedPort(origin.substring(authority + local.length()), channel)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAllowedPort(String colonPort, Channel channel) {
    boolean isOwn =
        channel.localAddress() instanceof InetSocketAddress address
            && colonPort.equals(":" + address.getPort());
    return isOwn || colonPort.equals(":" + CONSOLE_PORT);
  }
}
