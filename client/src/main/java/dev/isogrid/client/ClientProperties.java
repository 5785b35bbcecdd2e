package dev.isogrid.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** Reads configurations from properties and URIs. Stateless. */
final class ClientProperties {
  private static final List<String> PREFIXES =
      List.of("infinispan.client.hotrod.", "isogrid.client.");

  private ClientProperties() {}

  static void apply(Properties properties, ClientConfig.Builder builder) {
    for (String name : properties.stringPropertyNames()) {
      for (String prefix : PREFIXES) {
        if (name.startsWith(prefix)) {
          apply(name.substring(prefix.length()), properties.getProperty(name).strip(), builder);
        }
      }
    }
  }

  static void applyUri(String uri, ClientConfig.Builder builder) {
    URI parsed;
    try {
      parsed = new URI(uri);
    } catch (URISyntaxException cause) {
      throw new IllegalArgumentException("not a URI: " + cause.getReason(), cause);
    }
    String authority = parsed.getRawAuthority();
    if (!"hotrod".equals(parsed.getScheme()) || authority == null) {
      throw new IllegalArgumentException("not a URI of servers; write hotrod://host:port");
    }
    builder.addServers(authority.substring(authority.lastIndexOf('@') + 1));
    String query = parsed.getRawQuery();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException("not name=value: " + pair);
        }
        apply(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)), builder);
      }
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static void apply(String name, String value, ClientConfig.Builder builder) {
    switch (name) {
      case "uri" -> applyUri(value, builder);
      case "server_list" -> builder.addServers(value);
      case "client_intelligence" ->
          builder.intelligence(Intelligence.valueOf(value.toUpperCase(Locale.ROOT)));
      case "force_return_values" -> builder.forceReturnValues(bool(name, value));
      case "socket_timeout" -> builder.operationTimeoutMillis(number(name, value));
      case "connect_timeout" -> builder.connectTimeoutMillis(number(name, value));
      case "max_retries" -> builder.retriesMax(number(name, value));
      case "tcp_no_delay" -> builder.tcpNoDelay(bool(name, value));
      case "tcp_keep_alive" -> builder.tcpKeepAlive(bool(name, value));
      case "event_loops" -> builder.eventLoops(number(name, value));
      case "marshaller" -> builder.marshaller(marshaller(value));
      case "java_serial_allowlist" ->
          builder.marshaller(
              new JavaSerializationMarshaller(Arrays.asList(value.split(",", -1))));
      default ->
          throw new IllegalArgumentException(
              "unknown property of the client: name=%s; see ClientConfig".formatted(name));
    }
  }

  private static Marshaller marshaller(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "ProtoStreamMarshaller" -> new ProtoStreamMarshaller();
      case "StringMarshaller", "UTF8StringMarshaller" -> new StringMarshaller();
      case "BytesMarshaller", "BytesOnlyMarshaller", "IdentityMarshaller" -> new BytesMarshaller();
      default ->
          throw new IllegalArgumentException(
              "unknown marshaller: name=%s; pass one of your own to the builder".formatted(name));
    };
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException cause) {
      throw new IllegalArgumentException(
          "not a number: name=%s, value=%s".formatted(name, value), cause);
    }
  }

  private static boolean bool(String name, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "not true or false: name=%s, value=%s".formatted(name, value));
    };
  }
}
