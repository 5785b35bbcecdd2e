package dev.isogrid.server.security;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens (JWT, RFC 7519) are accepted. They are checked here; no other server is asked.
 *
 * @param publicKey a file with the issuer's public key or certificate as PEM, or null
 * @param inlineKey the same key itself, or null
 * @param secret a file with a shared secret, 32 bytes or more, or null; one of the three is set
 * @param issuer what {@code iss} must be, or null for any
 * @param audience what {@code aud} must contain, or null for any
 * @param claims which claims matter
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
   * @param user the claim that is the user's name
   * @param roles the claim that lists roles, as an array or separated by blanks or commas; dots
   *     lead into objects
   * @param addsFileRoles whether a user of the token has the roles of the users' file as well; only
   *     if the issuer chooses the names, since a name is all that it takes
   */
  public record Claims(String user, String roles, boolean addsFileRoles) {
    /** The claim that is the user's name if nobody says otherwise. */
    public static final String USER = "sub";

    /** The claim that lists roles if nobody says otherwise. */
    public static final String ROLES = "roles";

    /** The usual claims, and no roles but the token's. */
    public static final Claims USUAL = new Claims(USER, ROLES, false);
  }
}
