package dev.isogrid.server.security;

import java.util.Set;

/**
 * Who somebody has proved to be.
 *
 * @param name of the user
 * @param mechanism how it was proved
 * @param isOfFile whether by what the users' file says, so that it ends when the user is removed
 * @param tokenRoles the roles that a token gives besides those of the users' file
 * @param expiresMillis when it ends, milliseconds since 1970
 */
public record Identity(
    String name, String mechanism, boolean isOfFile, Set<String> tokenRoles, long expiresMillis) {
  /** Copies the set. */
  public Identity {
    tokenRoles = Set.copyOf(tokenRoles);
  }
}
