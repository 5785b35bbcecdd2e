package dev.isogrid.server.security;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a server, and for what.
 *
 * @param login how clients log in, or null if nobody has to
 * @param roles what the roles permit; null if every user may do everything after a login
 * @param isAudited whether logins, refusals and administrative requests are logged
 * @param folder where the users' file is
 */
public record SecuritySettings(
    @Nullable Login login, @Nullable Roles roles, boolean isAudited, Path folder) {
  /** The realm if nobody names another: the one that Hot Rod clients expect. */
  public static final String REALM = "default";

  /** The server's name in SASL if nobody names another: the one that Hot Rod clients expect. */
  public static final String SERVER_NAME = "infinispan";

  /**
   * How clients log in.
   *
   * @param realm part of what is hashed for DIGEST
   * @param serverName the server's name in SASL
   * @param hasPasswords whether users of the file can log in by a password
   * @param clearTextAllowed whether passwords may come over connections that are not encrypted
   * @param mechanisms of SASL that are offered as far as they are possible, or null for all
   * @param tokens which tokens are accepted, or null for none
   * @param certificates whether clients can log in by a trusted certificate
   */
  public record Login(
      String realm,
      String serverName,
      boolean hasPasswords,
      boolean clearTextAllowed,
      @Nullable List<Mechanism> mechanisms,
      @Nullable TokenSettings tokens,
      boolean certificates) {}

  /** Nobody has to log in, everyone may do everything. */
  public static SecuritySettings off(Path folder) {
    return new SecuritySettings(null, null, false, folder);
  }
}
