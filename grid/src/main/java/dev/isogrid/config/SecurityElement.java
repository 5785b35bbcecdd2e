package dev.isogrid.config;

import dev.isogrid.config.Section.ValueType;
import dev.isogrid.config.ServerSecurity.Realm;
import dev.isogrid.config.ServerSecurity.Store;
import dev.isogrid.config.ServerSecurity.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the elements about security: realms of a server, roles of a container. */
final class SecurityElement {
  /** The permissions that roles can have. */
  private static final Set<String> PERMISSIONS =
      Set.of(
          "LIFECYCLE",
          "READ",
          "WRITE",
          "EXEC",
          "LISTEN",
          "BULK_READ",
          "BULK_WRITE",
          "ADMIN",
          "CREATE",
          "MONITOR",
          "ALL",
          "ALL_READ",
          "ALL_WRITE",
          "NONE");

  private SecurityElement() {}

  /** The roles of a container. */
  record Authorization(boolean isEnabled, Map<String, List<String>> roles) {
    static final Authorization NONE = new Authorization(false, Map.of());
  }

  /** Reads the element {@code security} of a container to its end. */
  static Authorization authorization(Section security) {
    security.ignore(ValueType.NUMBER, "cache-size", "cache-timeout");
    Section element = security.child("authorization");
    security.finish();
    if (element == null) {
      return Authorization.NONE;
    }
    boolean enabled = element.flag("enabled", true);
    element.ignore(ValueType.TEXT, "audit-logger");
    element.only("group-only-mapping", true);
    for (String mapper : List.of("cluster-role-mapper", "cluster-permission-mapper")) {
      element.ignoreElement(mapper);
    }
    element.refuse(
        "identity-role-mapper",
        "common-name-role-mapper",
        "custom-role-mapper",
        "custom-permission-mapper");
    Map<String, List<String>> roles = new LinkedHashMap<>();
    element.children("roles").forEach(list -> readRoles(list, roles));
    element.children("role").forEach(role -> readRole(role.name("name"), role, roles));
    element.finish();
    return new Authorization(enabled, roles);
  }

  private static void readRoles(Section list, Map<String, List<String>> roles) {
    ServerElement.items(list, "role").forEach(item -> readRole(item.name(), item.section(), roles));
  }

  private static void readRole(
      @Nullable String name, Section element, Map<String, List<String>> roles) {
    Section wrapped = element.child("role"); // as a map by names has it
    if (wrapped != null) {
      element.finish();
    }
    Section role = wrapped == null ? element : wrapped;
    role.ignore(ValueType.TEXT, "description", "inheritable");
    String permissions = role.text("permissions");
    role.text("name");
    role.finish();
    if (name == null) {
      throw role.invalid("name", "a name");
    }
    List<String> words = CacheElement.words(permissions == null ? "" : permissions);
    if (!PERMISSIONS.containsAll(words)) {
      throw role.invalid("permissions", String.join(", ", PERMISSIONS.stream().sorted().toList()));
    }
    if (roles.putIfAbsent(name, words) != null) {
      throw Complaint.malformed(
          "role twice: name=" + Complaint.shown(name), element.element().position());
    }
  }

  /**
   * Reads the element {@code security} of a server to its end.
   *
   * @param realms receives its realms by their names
   */
  static void readRealms(Section security, Map<String, Realm> realms) {
    security.refuse("credential-stores");
    for (Section list : security.children("security-realms")) {
      for (ServerElement.Item item : ServerElement.items(list, "security-realm")) {
        if (realms.putIfAbsent(item.name(), realm(item.name(), item.section())) != null) {
          throw ServerElement.twice(item);
        }
      }
    }
    security.finish();
  }

  private static Realm realm(String name, Section section) {
    section.ignore(ValueType.TEXT, "default-realm");
    section.ignore(ValueType.NUMBER, "cache-max-size");
    section.ignore(ValueType.TIME, "cache-lifespan");
    Section identities = section.child("server-identities");
    Stores tls = identities == null ? Stores.NONE : identities(identities);
    Section users = section.child("properties-realm");
    String digestName = users == null ? null : digestName(users);
    Section certificates = section.child("truststore-realm");
    if (certificates != null) {
      certificates.ignore(ValueType.TEXT, "name");
      certificates.finish();
    }
    Section token = section.child("token-realm");
    section.refuse(
        "ldap-realm", "local-realm", "distributed-realm", "aggregate-realm", "evidence-decoder");
    Token read = token == null ? null : token(token);
    section.finish();
    return new Realm(
        name, digestName, tls.key(), tls.trust(), users != null, certificates != null, read);
  }

  /** The stores for TLS; null for none. */
  private record Stores(@Nullable Store key, @Nullable Store trust) {
    static final Stores NONE = new Stores(null, null);
  }

  private static Stores identities(Section identities) {
    identities.refuse("kerberos");
    Section ssl = identities.child("ssl");
    identities.finish();
    if (ssl == null) {
      return Stores.NONE;
    }
    ssl.refuse("engine");
    Section keystore = ssl.child("keystore");
    Section truststore = ssl.child("truststore");
    ssl.finish();
    if (keystore == null) {
      throw Complaint.malformed("a keystore expected in " + ssl.path(), ssl.element().position());
    }
    return new Stores(store(keystore), truststore == null ? null : store(truststore));
  }

  private static Store store(Section section) {
    String path = section.name("path");
    section.ignore(ValueType.TEXT, "relative-to", "type");
    section.refuse(
        "provider", "generate-self-signed-certificate-host", "credential-reference", "pem");
    String password = section.text("password");
    String alias = section.name("alias");
    section.finish();
    if (path == null) {
      throw section.invalid("path", "the name of a file");
    }
    return new Store(path, password, alias);
  }

  private static @Nullable String digestName(Section users) {
    users.ignore(ValueType.TEXT, "groups-attribute", "name");
    Section file = users.child("user-properties");
    String name = null;
    if (file != null) {
      name = file.name("digest-realm-name");
      file.only("plain-text", false);
      file.ignore(ValueType.TEXT, "path", "relative-to");
      file.finish();
    }
    users.ignoreElement("group-properties");
    users.finish();
    return name;
  }

  private static Token token(Section token) {
    token.ignore(ValueType.TEXT, "name", "auth-server-url", "client-id");
    String claim = token.name("principal-claim");
    token.refuse("oauth2-introspection");
    Section jwt = token.child("jwt");
    token.finish();
    if (jwt == null) {
      throw Complaint.malformed("jwt expected in " + token.path(), token.element().position());
    }
    String key = jwt.name("public-key");
    List<String> issuers = words(jwt, "issuer");
    List<String> audiences = words(jwt, "audience");
    jwt.ignore(ValueType.NUMBER, "jku-timeout", "connection-timeout", "read-timeout");
    jwt.refuse("client-ssl-context", "host-name-verification-policy");
    jwt.finish();
    if (key == null) {
      throw jwt.invalid("public-key", "the public key of the issuer");
    }
    return new Token(
        key,
        issuers.isEmpty() ? null : issuers.getFirst(),
        audiences.isEmpty() ? null : audiences.getFirst(),
        claim == null ? "username" : claim);
  }

  private static List<String> words(Section section, String name) {
    String text = section.text(name);
    List<String> words = text == null ? new ArrayList<>() : CacheElement.words(text);
    if (words.size() > 1) {
      throw section.invalid(name, "one");
    }
    return words;
  }
}
