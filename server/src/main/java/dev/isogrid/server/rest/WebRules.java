package dev.isogrid.server.rest;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which web pages may use this endpoint through the browsers of their readers. Permitted
 * are pages of this server, pages on the same machine from the server's port, and those that the
 * options name. Thread-safe.
 *
 * <p>A page belongs to this server if its host is the one in the request's {@code Host}. The owner
 * of any domain can point its name to this server. So without logins, the names are limited to
 * those that no one else can own.
 */
public final class WebRules {
  private static final List<String> LOCAL_HOSTS = List.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> hosts;
  private final Set<String> origins;

  /**
   * Rules with further hosts and origins.
   *
   * @param hosts the permitted names of this server, beside {@code localhost} and addresses
   * @param origins of permitted web pages: scheme, host, and port if it is not the default of the
   *     scheme
   */
  public WebRules(List<String> hosts, List<String> origins) {
    this.hosts =
        Stream.concat(hosts.stream(), Stream.of("localhost"))
            .map(WebRules::plainName)
            .collect(Collectors.toUnmodifiableSet());
    this.origins =
        origins.stream()
            .map(origin -> origin.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Lower case, without the optional dot at the end of a name. */
  private static String plainName(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /**
   * Whether a name of this server is permitted, if the server has no logins.
   *
   * @param host a name or an address, optionally with a port; null if the request has none, as from
   *     old clients other than browsers
   */
  boolean isKnownHost(@Nullable String host) {
    if (host == null) {
      return true;
    }
    String name = nameOf(host.strip());
    if (name.startsWith("[")) {
      return name.endsWith("]") && isAddress(name.substring(1, name.length() - 1), true);
    }
    return isAddress(name, false) || hosts.contains(plainName(name));
  }

  private static boolean isAddress(String text, boolean isV6) {
    return isV6 ? NetUtil.isValidIpV6Address(text) : NetUtil.isValidIpV4Address(text);
  }

  /** The part before the port; if the port is not a number, a text that no known name equals. */
  private static String nameOf(String host) {
    int colon = host.lastIndexOf(':');
    if (colon < 0 || host.endsWith("]")) {
      return host;
    }
    for (int i = colon + 1; i < host.length(); i++) {
      if (host.charAt(i) < '0' || host.charAt(i) > '9') {
        return host;
      }
    }
    return host.substring(0, colon);
  }

  /**
   * Whether a page may use this endpoint.
   *
   * @param origin scheme, host and port of the page
   * @param host the name of this server in the request, or null
   */
  boolean isAllowed(String origin, @Nullable String host, Channel channel) {
    String scheme = channel.pipeline().get(SslHandler.class) == null ? "http://" : "https://";
    if (host != null && origin.equalsIgnoreCase(scheme + host)) {
      return true;
    }
    return isLocal(origin, channel) || origins.contains(origin.toLowerCase(Locale.ROOT));
  }

  private static boolean isLocal(String origin, Channel channel) {
    boolean isPlain = origin.startsWith("http://");
    if (!isPlain && !origin.startsWith("https://")) {
      return false;
    }
    int authority = (isPlain ? "http://" : "https://").length();
    for (String local : LOCAL_HOSTS) {
      if (origin.startsWith(local, authority)
          && isOwnPort(origin.substring(authority + local.length()), channel)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOwnPort(String colonPort, Channel channel) {
    return channel.localAddress() instanceof InetSocketAddress address
        && colonPort.equals(":" + address.getPort());
  }
}
