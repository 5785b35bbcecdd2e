package dev.isogrid.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a server's document about logins and permissions.
 *
 * @param realm the realm of the endpoint, or null if the server has no logins
 * @param isAuthorized whether roles determine the permissions of users
 * @param roles the permissions of roles, by the roles' names; empty for the predefined roles
 * @param mechanisms names of the mechanisms of SASL to offer; empty for all that are possible
 * @param serverName the server's name in SASL, or null
 * @param isClearTextAllowed whether the document names a mechanism that sends passwords in clear
 *     text
 * @param needsClientCertificate whether clients need a trusted certificate to connect
 */
public record ServerSecurity(
    @Nullable Realm realm,
    boolean isAuthorized,
    Map<String, List<String>> roles,
    List<String> mechanisms,
    @Nullable String serverName,
    boolean isClearTextAllowed,
    boolean needsClientCertificate) {
  /** No settings. */
  static final ServerSecurity NONE =
      new ServerSecurity(null, false, Map.of(), List.of(), null, false, false);

  /** Copies the collections. */
  public ServerSecurity {
    roles = Collections.unmodifiableMap(new LinkedHashMap<>(roles));
    mechanisms = List.copyOf(mechanisms);
  }

  /**
   * The sources of a server's users.
   *
   * @param name of the realm
   * @param digestName the realm's name in DIGEST, or null for its own
   * @param key the server's key for TLS, or null for none
   * @param trust the authorities of trusted client certificates, or null
   * @param hasUsers whether there is a file of users
   * @param hasCertificates whether clients log in by certificates
   * @param token the accepted tokens, or null for none
   */
  public record Realm(
      String name,
      @Nullable String digestName,
      @Nullable Store key,
      @Nullable Store trust,
      boolean hasUsers,
      boolean hasCertificates,
      @Nullable Token token) {
    /** Whether clients must log in. */
    public boolean isLogin() {
      return hasUsers || hasCertificates || token != null;
    }
  }

  /**
   * A key store or PEM file.
   *
   * @param path in the document
   * @param password or null
   * @param alias of the key, or null for any
   */
  public record Store(String path, @Nullable String password, @Nullable String alias) {
    @Override
    public String toString() {
      return "Store[path=%s, alias=%s]".formatted(path, alias);
    }
  }

  /**
   * The accepted tokens.
   *
   * @param publicKey of the issuer, PEM or its Base64 alone
   * @param issuer or null for any
   * @param audience or null for any
   * @param userClaim the claim with the user's name
   */
  public record Token(
      String publicKey, @Nullable String issuer, @Nullable String audience, String userClaim) {}
}
