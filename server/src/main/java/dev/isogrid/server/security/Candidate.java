package dev.isogrid.server.security;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user that a client claims to be, as the users' file had it when the login began: a login that
 * goes on while the user changes proves the former one. It costs the same, and looks the same,
 * whether there is such a user or not. Immutable.
 */
final class Candidate {
  private final String name;
  private final @Nullable User user;
  private final String realm;
  private final MadeUpKeys madeUp;

  /**
   * Takes what the file has.
   *
   * @param user null if there is none of the name
   * @param realm of DIGEST
   */
  Candidate(String name, @Nullable User user, String realm, MadeUpKeys madeUp) {
    this.name = name;
    this.user = user;
    this.realm = realm;
    this.madeUp = madeUp;
  }

  String name() {
    return name;
  }

  /** Returns what a proof by SCRAM is checked with. */
  ScramKeys scramKeys(Hash hash) {
    ScramKeys otherwise = madeUp.scramKeys(name, hash); // always made, so that it takes as long
    ScramKeys found = user == null ? null : user.scram(hash);
    return found == null ? otherwise : found;
  }

  /** Returns what a proof by DIGEST is checked with. */
  byte[] digest(Hash hash) {
    byte[] otherwise = madeUp.digest(name, hash); // always made, so that it takes as long
    byte[] found = user == null ? null : user.digest(hash, realm);
    return found == null ? otherwise : found;
  }

  /** Returns whether a password is the user's. Takes some milliseconds. */
  boolean isPassword(String password) {
    boolean fits = !password.isEmpty() && scramKeys(Hash.SHA_256).fits(password);
    return fits && user != null && user.hasPassword();
  }

  /** Returns the user as one who has proved the password. */
  Identity identity(String mechanism) {
    return new Identity(
        name,
        mechanism,
        user == null ? "" : user.passwordVersion(),
        user == null ? Set.of() : user.roles,
        Set.of(),
        Long.MAX_VALUE);
  }
}
