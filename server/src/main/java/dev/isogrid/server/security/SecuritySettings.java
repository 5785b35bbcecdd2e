package dev.isogrid.server.security;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of logins and permissions.
 *
 * @param login the settings of logins, or null if the server has none
 * @param roles the permissions of the roles; null if a login permits everything
 * @param isAudited whether logins, refusals and administrative requests are logged
 * @param folder the folder of the users' file
 */
public record SecuritySettings(
    @Nullable Login login, @Nullable Roles roles, boolean isAudited, Path folder) {
  /** The default realm, which Hot Rod clients expect. */
  public static final String REALM = "default";

  /** The server's default name in SASL, which Hot Rod clients expect. */
  public static final String SERVER_NAME = "infinispan";

  /**
   * The settings of logins.
   *
   * @param realm a part of the DIGEST hash
   * @param serverName the server's name in SASL
   * @param hasPasswords whether users of the file can log in by a password
   * @param clearTextAllowed whether passwords may come over connections that are not encrypted
   * @param mechanisms of SASL to offer as far as they are possible, or null for all
   * @param tokens the accepted tokens, or null for none
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

  /** Settings without logins, which permit everything. */
  public static SecuritySettings off(Path folder) {
    return new SecuritySettings(null, null, false, folder);
  }
}
