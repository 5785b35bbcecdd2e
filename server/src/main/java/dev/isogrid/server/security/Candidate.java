package dev.isogrid.server.security;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user that a client claims to be, with the state of the users' file at the beginning of the
 * login. If the user changes during the login, the login proves the former state. Existing and
 * unknown users take the same time and look the same. Immutable.
 */
final class Candidate {
  private final String name;
  private final @Nullable User user;
  private final String realm;
  private final MadeUpKeys madeUp;

  /**
   * Makes a candidate from an entry of the file.
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

  /** The keys for checking a SCRAM proof. */
  ScramKeys scramKeys(Hash hash) {
    ScramKeys otherwise = madeUp.scramKeys(name, hash); // always made, so that it takes as long
    ScramKeys found = user == null ? null : user.scram(hash);
    return found == null ? otherwise : found;
  }

  /** The hash for checking a DIGEST proof. */
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

  /** The identity of the user after a right password. */
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
