package dev.isogrid.config;

import dev.isogrid.config.Section.ValueType;
import dev.isogrid.config.ServerDocument.Connector;
import dev.isogrid.config.ServerDocument.Endpoint;
import dev.isogrid.config.ServerElement.Binding;
import dev.isogrid.config.ServerSecurity.Realm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the element of an endpoint and its connectors. */
final class EndpointElement {
  private static final String SUFFIX = "-connector";
  private static final String HOTROD = "hotrod" + SUFFIX;
  private static final String REST = "rest" + SUFFIX;
  private static final String MEMCACHED = "memcached" + SUFFIX;

  private final Section section;
  private final ServerElement server;
  private final @Nullable Binding binding;
  private final Connector inherited;
  private final Map<String, Connector> connectors = new HashMap<>();
  private final @Nullable Realm realm;
  private final boolean needsClientCertificate;
  private List<String> mechanisms = List.of();
  private @Nullable String serverName;
  private boolean isClearTextAllowed;

  /** The content of an element; of security only the endpoint's part. */
  record Read(Endpoint endpoint, ServerSecurity security) {
    static final Read NOTHING = new Read(Endpoint.DEFAULT, ServerSecurity.NONE);
  }

  private EndpointElement(
      Section section,
      @Nullable String bindingName,
      @Nullable String realmName,
      ServerElement server) {
    this.section = section;
    this.server = server;
    String own = section.name("socket-binding");
    this.binding = server.binding(section, own == null ? bindingName : own);
    String ownRealm = section.name("security-realm");
    String usedRealm = ownRealm == null ? realmName : ownRealm;
    this.realm = usedRealm == null ? null : server.realm(section, usedRealm);
    this.needsClientCertificate = section.flag("require-ssl-client-auth", false);
    this.inherited = common(section, Connector.DEFAULT, null);
  }

  /**
   * Reads an element to its end.
   *
   * @param bindingName the socket binding to use if the element names none, or null
   * @param realmName the security realm to use if the element names none, or null for none
   * @param server knows the socket bindings and realms
   */
  static Read read(
      Section section,
      @Nullable String bindingName,
      @Nullable String realmName,
      ServerElement server) {
    return new EndpointElement(section, bindingName, realmName, server).read();
  }

  private Read read() {
    Endpoint endpoint = endpoint();
    return new Read(
        endpoint,
        new ServerSecurity(
            realm,
            false,
            Map.of(),
            mechanisms,
            serverName,
            isClearTextAllowed,
            needsClientCertificate));
  }

  private Endpoint endpoint() {
    section.only("admin", true);
    section.only("metrics-auth", false);
    section.children(EndpointElement::isConnector).forEach(child -> add(child, null));
    section.children("connectors").forEach(this::addWrapped);
    section.finish();
    String address = binding == null ? null : binding.address();
    Integer port = binding == null ? null : Integer.valueOf(binding.port());
    return connectors.isEmpty()
        ? new Endpoint(address, port, inherited, inherited, inherited)
        : new Endpoint(
            address, port, connectors.get(HOTROD), connectors.get(REST), connectors.get(MEMCACHED));
  }

  /** Adds connectors that are in an object or list, themselves or below a name. */
  private void addWrapped(Section wrapper) {
    for (Section child : wrapper.children(any -> true)) {
      if (isConnector(child.element())) {
        add(child, null);
      } else {
        String name = child.element().written();
        child.children(EndpointElement::isConnector).forEach(connector -> add(connector, name));
        child.finish();
      }
    }
    wrapper.finish();
  }

  private static boolean isConnector(Element element) {
    return element.name().endsWith(SUFFIX);
  }

  /** Checks that a connector has the realm of the endpoint, as all must. */
  private void readAuthentication(Section connector) {
    connector.only("require-ssl-client-auth", needsClientCertificate);
    String realmName = connector.name("security-realm");
    if (realmName != null && (realm == null || !realmName.equals(realm.name()))) {
      connector.refuse("security-realm");
    }
    Section authentication = connector.child("authentication");
    if (authentication == null) {
      return;
    }
    authentication.ignore(ValueType.TEXT, "server-principal", "security-realm");
    Section sasl = authentication.child("sasl");
    if (sasl == null) {
      List<String> _ = readMechanisms(authentication, false);
    } else {
      authentication.ignore(ValueType.TEXT, "mechanisms");
      boolean isHotRod = connector.element().name().equals(HOTROD);
      List<String> named = readMechanisms(sasl, isHotRod);
      sasl.only("qop", "auth");
      sasl.ignore(ValueType.TEXT, "strength", "policy", "server-principal");
      sasl.ignoreElement("policy");
      String name = sasl.name("server-name");
      sasl.finish();
      if (isHotRod) {
        mechanisms = named;
        serverName = name;
      } else if (name != null) {
        sasl.notes().ignored(sasl.path() + "@server-name");
      }
    }
    authentication.finish();
  }

  /**
   * Reads a list of mechanisms.
   *
   * @param isOffered whether the connector offers these only; another one uses nothing of the list
   *     but the permission to send passwords in clear text
   */
  private List<String> readMechanisms(Section section, boolean isOffered) {
    String text = section.text("mechanisms");
    List<String> named = CacheElement.words(text == null ? "" : text);
    boolean isClearText = named.contains("PLAIN") || named.contains("BASIC");
    isClearTextAllowed |= isClearText;
    if (text != null && !isOffered && !isClearText) {
      section.notes().ignored(section.path() + "@mechanisms");
    }
    return named;
  }

  private void add(Section connector, @Nullable String key) {
    readAuthentication(connector);
    String type = connector.element().name();
    String own = connector.name("name");
    Connector common = common(connector, inherited, key == null ? own : key);
    Connector read =
        switch (type) {
          case HOTROD -> hotrod(connector, common);
          case REST -> rest(connector, common);
          case MEMCACHED -> memcached(connector, common);
          case "resp" + SUFFIX -> throw connector.unsupported();
          default ->
              throw Complaint.unknown(
                  "element",
                  connector.path(),
                  connector.element().position(),
                  List.of(HOTROD, REST, MEMCACHED));
        };
    connector.finish();
    if (connectors.putIfAbsent(type, read) != null) {
      throw connector.unsupported();
    }
  }

  private static Connector common(Section section, Connector base, @Nullable String name) {
    int unset = -2;
    int idle = section.number("idle-timeout", -1, Integer.MAX_VALUE, unset);
    Long length = section.sizeBytes("max-content-length", 1, Integer.MAX_VALUE);
    section.ignore(ValueType.NUMBER, "io-threads");
    section.ignore(ValueType.SIZE, "send-buffer-size", "receive-buffer-size");
    section.ignore(ValueType.BOOLEAN, "tcp-nodelay", "tcp-keepalive");
    section.refuse("encryption", "ip-filter");
    return new Connector(
        name,
        null,
        null,
        idle == unset ? base.idleTimeoutSeconds() : Integer.valueOf(idle),
        length == null ? base.contentLengthMax() : Integer.valueOf(length.intValue()));
  }

  private Connector hotrod(Section connector, Connector common) {
    connector.refuse("external-host", "external-port");
    connector.ignore(ValueType.BOOLEAN, "network-prefix-override");
    connector.ignore(
        ValueType.NUMBER,
        "listener-backpressure-high-watermark",
        "listener-backpressure-low-watermark",
        "listener-max-queue-size");
    connector.ignoreElement("topology-state-transfer");
    requireShared(connector);
    return common;
  }

  private Connector rest(Section connector, Connector common) {
    connector.only("context-path", "rest");
    connector.only("extended-headers", "ON_DEMAND", "NEVER");
    connector.ignore(ValueType.NUMBER, "compression-level", "compression-threshold");
    connector.refuse("cors-rules");
    requireShared(connector);
    return common;
  }

  private Connector memcached(Section connector, Connector common) {
    String cache = connector.name("cache");
    if (cache != null && !NamedCacheConfig.isName(cache)) {
      throw connector.invalid("cache", NamedCacheConfig.NAME_FORM);
    }
    connector.only("protocol", "AUTO", "TEXT", "BINARY");
    connector.only("client-encoding", "application/octet-stream");
    Binding own = ownBinding(connector);
    return new Connector(
        common.name(),
        own == null ? null : Integer.valueOf(own.port()),
        cache,
        common.idleTimeoutSeconds(),
        common.contentLengthMax());
  }

  private void requireShared(Section connector) {
    if (ownBinding(connector) != null) {
      connector.refuse("socket-binding");
    }
  }

  /** The separate address of a connector, or null if it shares the port of the endpoint. */
  private @Nullable Binding ownBinding(Section connector) {
    String name = connector.name("socket-binding");
    Binding own = name == null ? null : server.binding(connector, name);
    if (own == null || own.equals(binding)) {
      return null;
    }
    if (binding != null && !Objects.equals(own.address(), binding.address())) {
      connector.refuse("socket-binding"); // there is one address for all
    }
    return own;
  }
}
