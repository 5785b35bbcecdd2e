package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.config.ServerSecurity;
import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.Mechanism;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.TlsSettings;
import dev.isogrid.server.security.TokenSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The protection of a server.
 *
 * @param security the settings of logins and permissions
 * @param tls the settings of encryption, or null for none
 * @param limits the limits of clients
 */
public record Protection(
    SecuritySettings security, @Nullable TlsSettings tls, AccessLimits limits) {
  /** No protection. */
  public static final Protection NONE = new Protection(SecuritySettings.off(Path.of("conf")), null);

  /** Protection with the default limits. */
  public Protection(SecuritySettings security, @Nullable TlsSettings tls) {
    this(security, tls, AccessLimits.USUAL);
  }

  /**
   * Combines the command line, which wins, and the configuration document, if there is one.
   *
   * @throws InvalidRequestException if the document names something that does not exist
   */
  static Protection of(ServerOptions options, @Nullable ServerDocument document) {
    SecurityOptions given = options.security();
    Path folder = ConfFolder.of(given.conf(), options.dataDirectory());
    ServerSecurity documented = document == null ? null : document.security();
    ServerSecurity.Realm realm = documented == null ? null : documented.realm();
    TlsSettings tls = tls(given, documented, folder);
    if (documented != null && realm != null && realm.isLogin()) {
      SecuritySettings.Login login = login(given, documented, realm, tls);
      return new Protection(
          new SecuritySettings(login, roles(documented), true, folder), tls, given.limits());
    }
    if (given.auth()) {
      SecuritySettings.Login login = login(given, SecuritySettings.REALM, tls);
      return new Protection(
          new SecuritySettings(login, Roles.PREDEFINED, true, folder), tls, given.limits());
    }
    return new Protection(SecuritySettings.off(folder), tls, given.limits());
  }

  private static SecuritySettings.Login login(
      SecurityOptions given, String realm, @Nullable TlsSettings tls) {
    return new SecuritySettings.Login(
        first(given.realm(), realm),
        first(given.serverName(), SecuritySettings.SERVER_NAME),
        true,
        given.allowClearText(),
        given.mechanisms(),
        given.tokens(),
        tls != null && tls.trust() != null);
  }

  private static SecuritySettings.Login login(
      SecurityOptions given,
      ServerSecurity documented,
      ServerSecurity.Realm realm,
      @Nullable TlsSettings tls) {
    ServerSecurity.Token token = realm.token();
    List<Mechanism> mechanisms = given.mechanisms();
    return new SecuritySettings.Login(
        first(given.realm(), first(realm.digestName(), realm.name())),
        first(given.serverName(), first(documented.serverName(), SecuritySettings.SERVER_NAME)),
        realm.hasUsers(),
        given.allowClearText() || documented.isClearTextAllowed(),
        mechanisms == null ? mechanisms(documented) : mechanisms,
        token == null ? given.tokens() : tokens(token, given.tokenFileRoles()),
        realm.hasCertificates() && tls != null && tls.trust() != null);
  }

  private static <T> T first(@Nullable T wins, T otherwise) {
    return Objects.requireNonNullElse(wins, otherwise);
  }

  private static TokenSettings tokens(ServerSecurity.Token token, boolean addsFileRoles) {
    return new TokenSettings(
        null,
        token.publicKey(),
        null,
        token.issuer(),
        token.audience(),
        new TokenSettings.Claims(token.userClaim(), TokenSettings.Claims.ROLES, addsFileRoles));
  }

  private static @Nullable List<Mechanism> mechanisms(ServerSecurity documented) {
    if (documented.mechanisms().isEmpty()) {
      return null;
    }
    List<Mechanism> mechanisms = new ArrayList<>();
    for (String name : documented.mechanisms()) {
      Mechanism mechanism = Mechanism.of(name);
      if (mechanism == null) {
        throw new InvalidRequestException(
            "mechanism not supported: mechanism=%s; remove it from the configuration"
                .formatted(name));
      }
      mechanisms.add(mechanism);
    }
    return mechanisms;
  }

  private static @Nullable Roles roles(ServerSecurity documented) {
    if (!documented.isAuthorized()) {
      return null;
    }
    if (documented.roles().isEmpty()) {
      return Roles.PREDEFINED;
    }
    Map<String, Integer> masks = new LinkedHashMap<>();
    documented
        .roles()
        .forEach((name, permissions) -> {
          int mask = 0;
          for (String permission : permissions) {
            mask |= Permission.valueOf(permission).mask();
          }
          masks.put(name, mask);
        });
    return new Roles(masks);
  }

  private static @Nullable TlsSettings tls(
      SecurityOptions given, @Nullable ServerSecurity documented, Path folder) {
    ServerSecurity.Realm realm = documented == null ? null : documented.realm();
    ServerSecurity.Store store = realm == null ? null : realm.key();
    TlsSettings.Key key = given.key();
    if (key == null && store != null) {
      key =
          new TlsSettings.KeyStoreFile(
              folder.resolve(store.path()), first(store.password(), ""), store.alias());
    }
    if (key == null) {
      return null;
    }
    ServerSecurity.Store trusted = realm == null ? null : realm.trust();
    TlsSettings.Trust trust = given.trust();
    if (trust == null && trusted != null) {
      trust = new TlsSettings.Trust(folder.resolve(trusted.path()), trusted.password());
    }
    ClientCertificates wanted = given.clientCertificates();
    if (wanted == null) {
      boolean needed = documented != null && documented.needsClientCertificate();
      if (needed && trust == null) {
        throw new InvalidRequestException(
            "require-ssl-client-auth needs a truststore; add one to the realm, or leave it out");
      }
      ClientCertificates asked = needed ? ClientCertificates.NEEDED : ClientCertificates.WANTED;
      wanted = trust == null ? ClientCertificates.NONE : asked;
    }
    return new TlsSettings(key, trust, wanted);
  }
}
