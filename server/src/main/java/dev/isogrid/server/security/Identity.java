package dev.isogrid.server.security;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The user of a login, with the user's state at that time. The identity ends when the user's
 * password changes, when the user loses one of these roles or is removed, or when the token ends.
 *
 * @param name of the user
 * @param mechanism the mechanism of the proof
 * @param passwordVersion the version of the proving password; null if the proof was not a password
 * @param fileRoles the roles that the users' file gives
 * @param tokenRoles the roles that a token gives
 * @param expiresMillis the time of its end, milliseconds since 1970
 */
public record Identity(
    String name,
    String mechanism,
    @Nullable String passwordVersion,
    Set<String> fileRoles,
    Set<String> tokenRoles,
    long expiresMillis) {
  /** Copies the sets. */
  public Identity {
    fileRoles = Set.copyOf(fileRoles);
    tokenRoles = Set.copyOf(tokenRoles);
  }

  /** Returns the roles of the file and of the token together. */
  Set<String> roles() {
    if (tokenRoles.isEmpty()) {
      return fileRoles;
    }
    Set<String> both = new TreeSet<>(fileRoles);
    both.addAll(tokenRoles);
    return both;
  }

  /** Returns this identity, or one that differs from it by the roles of the file. */
  Identity withFileRoles(Set<String> roles) {
    return roles.equals(fileRoles)
        ? this
        : new Identity(name, mechanism, passwordVersion, roles, tokenRoles, expiresMillis);
  }
}
