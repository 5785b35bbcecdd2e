package dev.isogrid.server.security;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The accepted tokens (JWT, RFC 7519). This server itself checks them, without a query to another
 * server.
 *
 * @param publicKey a file with the issuer's public key or certificate as PEM, or null
 * @param inlineKey the text of such a key, or null
 * @param secret a file with a shared secret, 32 bytes or more, or null; one of the three is set
 * @param issuer the value of {@code iss}, or null for any
 * @param audience a required element of {@code aud}, or null for any
 * @param claims the relevant claims
 */
public record TokenSettings(
    @Nullable Path publicKey,
    @Nullable String inlineKey,
    @Nullable Path secret,
    @Nullable String issuer,
    @Nullable String audience,
    Claims claims) {
  /**
   * The claims that name users and roles.
   *
   * @param user the claim with the user's name
   * @param roles the claim with the roles, as an array or separated by blanks or commas; dots
   *     separate the names of nested objects
   * @param addsFileRoles whether a user of the token has the roles of the users' file as well; safe
   *     only if the issuer chooses the names, since a name alone gives these roles
   */
  public record Claims(String user, String roles, boolean addsFileRoles) {
    /** The default claim with the user's name. */
    public static final String USER = "sub";

    /** The default claim with the roles. */
    public static final String ROLES = "roles";

    /** The default claims, and only the token's roles. */
    public static final Claims USUAL = new Claims(USER, ROLES, false);
  }
}
