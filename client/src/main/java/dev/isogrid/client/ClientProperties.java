package dev.isogrid.client;

import dev.isogrid.api.Marshaller;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Reads configurations from properties and URIs. Stateless. */
final class ClientProperties {
  private static final List<String> PREFIXES =
      List.of("infinispan.client.hotrod.", "isogrid.client.");

  /** Goes before the name of another cluster. */
  private static final String CLUSTER_PREFIX = "cluster.";

  /** Goes before the settings of the connection pool. */
  private static final String POOL_PREFIX = "connection_pool.";

  private ClientProperties() {}

  /** The properties of a login and of TLS, which are only complete when all properties are read. */
  private static final class Secrets {
    private String mechanism = "";
    private String username = "";
    private @Nullable String password;
    private @Nullable String token;
    private boolean useTls;
    private TlsConfig tls = TlsConfig.DEFAULT;
    private String trustPassword = "";
    private String keyPassword = "";

    void applyTo(ClientConfig.Builder builder) {
      if (useTls) {
        Path trust = tls.trustStore();
        if (trust != null) {
          tls = tls.withTrustStore(trust, trustPassword);
        }
        Path key = tls.keyStore();
        if (key != null) {
          tls = tls.withKeyStore(key, keyPassword);
        }
        builder.tls(tls);
      }
      String given = password;
      String givenToken = token;
      if (givenToken != null) {
        builder.sasl(SaslConfig.token(() -> givenToken));
      } else if (mechanism.equals("EXTERNAL")) {
        builder.sasl(SaslConfig.external());
      } else if (given != null) {
        builder.sasl(
            SaslConfig.password(
                mechanism.isEmpty() ? SaslConfig.DEFAULT_MECHANISM : mechanism, username, given));
      } else if (!mechanism.isEmpty() || !username.isEmpty()) {
        throw new IllegalArgumentException(
            "login without auth_password: auth_username=%s, sasl_mechanism=%s"
                .formatted(username, mechanism));
      }
    }

    /** Returns whether it is one of these properties. */
    boolean apply(String name, String value) {
      switch (name) {
        case "sasl_mechanism" -> mechanism = value;
        case "auth_username" -> username = value;
        case "auth_password" -> password = value;
        case "auth_token" -> token = value;
        case "use_ssl" -> useTls = bool(name, value);
        case "sni_host_name" -> tls = tls.withServerName(value);
        case "ssl_hostname_validation" -> tls = tls.withCheckServerName(bool(name, value));
        case "trust_store_file_name" -> {
          tls = tls.withTrustStore(Path.of(value), null);
          useTls = true;
        }
        case "trust_store_password" -> trustPassword = value;
        case "key_store_file_name" -> {
          tls = tls.withKeyStore(Path.of(value), "");
          useTls = true;
        }
        case "key_store_password" -> keyPassword = value;
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  static void apply(Properties properties, ClientConfig.Builder builder) {
    Secrets secrets = new Secrets();
    for (String name : properties.stringPropertyNames()) {
      for (String prefix : PREFIXES) {
        if (name.startsWith(prefix)) {
          apply(
              name.substring(prefix.length()),
              properties.getProperty(name).strip(),
              secrets,
              builder);
        }
      }
    }
    secrets.applyTo(builder);
  }

  static void applyUri(String uri, ClientConfig.Builder builder) {
    Secrets secrets = new Secrets();
    applyUri(uri, secrets, builder);
    secrets.applyTo(builder);
  }

  private static void applyUri(String uri, Secrets secrets, ClientConfig.Builder builder) {
    URI parsed;
    try {
      parsed = new URI(uri);
    } catch (URISyntaxException cause) {
      throw new IllegalArgumentException("not a URI: " + cause.getReason(), cause);
    }
    String authority = parsed.getRawAuthority();
    boolean isTls = "hotrods".equals(parsed.getScheme());
    if (!(isTls || "hotrod".equals(parsed.getScheme())) || authority == null) {
      throw new IllegalArgumentException(
          "not a URI of servers; write hotrod://host:port or hotrods://host:port");
    }
    secrets.useTls |= isTls;
    int at = authority.lastIndexOf('@');
    if (at >= 0) {
      String login = authority.substring(0, at);
      int colon = login.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException("login without password; write user:password@host");
      }
      secrets.username = decoded(login.substring(0, colon));
      secrets.password = decoded(login.substring(colon + 1));
    }
    builder.addServers(authority.substring(at + 1));
    String query = parsed.getRawQuery();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException("not name=value: " + pair);
        }
        apply(
            decoded(pair.substring(0, equals)),
            decoded(pair.substring(equals + 1)),
            secrets,
            builder);
      }
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static void apply(
      String name, String value, Secrets secrets, ClientConfig.Builder builder) {
    if (secrets.apply(name, value)) {
      return;
    }
    if (name.startsWith(CLUSTER_PREFIX)) {
      builder.addCluster(name.substring(CLUSTER_PREFIX.length())).addClusterNodes(value);
      return;
    }
    if (name.startsWith(POOL_PREFIX)) {
      applyPool(name, value, builder.connectionPool());
      return;
    }
    switch (name) {
      case "uri" -> applyUri(value, secrets, builder);
      case "server_list" -> builder.addServers(value);
      case "client_intelligence" ->
          builder.intelligence(Intelligence.valueOf(value.toUpperCase(Locale.ROOT)));
      case "force_return_values" -> builder.forceReturnValues(bool(name, value));
      case "socket_timeout" -> builder.operationTimeoutMillis(number(name, value));
      case "connect_timeout" -> builder.connectTimeoutMillis(number(name, value));
      case "max_retries" -> builder.retriesMax(number(name, value));
      case "request_bytes_max" -> builder.requestBytesMax(number(name, value));
      case "tcp_no_delay" -> builder.tcpNoDelay(bool(name, value));
      case "tcp_keep_alive" -> builder.tcpKeepAlive(bool(name, value));
      case "batch_size" -> builder.batchSize(number(name, value));
      case "iteration_servers" -> builder.iterationServers(number(name, value));
      case "statistics" -> builder.statistics(bool(name, value));
      case "event_loops" -> builder.eventLoops(number(name, value));
      case "protocol_version" -> builder.protocolVersion(ProtocolVersion.parse(value));
      case "marshaller" -> builder.marshaller(marshaller(value));
      case "java_serial_allowlist" ->
          builder.marshaller(new JavaSerializationMarshaller(Arrays.asList(value.split(",", -1))));
      default -> throw unknown(name);
    }
  }

  private static void applyPool(String name, String value, ConnectionPoolConfig.Builder pool) {
    switch (name.substring(POOL_PREFIX.length())) {
      case "max_active" -> pool.maxActive(number(name, value));
      case "exhausted_action" ->
          pool.exhaustedAction(ExhaustedAction.valueOf(value.toUpperCase(Locale.ROOT)));
      case "max_wait" -> pool.maxWait(number(name, value));
      case "min_idle" -> pool.minIdle(number(name, value));
      case "min_evictable_idle_time" -> pool.minEvictableIdleTime(number(name, value));
      case "max_pending_requests" -> pool.maxPendingRequests(number(name, value));
      default -> throw unknown(name);
    }
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "unknown property of the client: name=%s; see ClientConfig".formatted(name));
  }

  private static Marshaller<Object> marshaller(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "ProtoStreamMarshaller" -> new ProtoStreamMarshaller();
      case "StringMarshaller", "UTF8StringMarshaller" -> new StringMarshaller();
      case "JsonMarshaller" -> new JsonMarshaller();
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
