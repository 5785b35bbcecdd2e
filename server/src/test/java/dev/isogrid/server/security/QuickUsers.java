package dev.isogrid.server.security;

import java.nio.file.Path;

/**
 * Users with the weakest hashes that servers take. The usual ones take a processor 0.1 s per user,
 * and hundreds of tests make some.
 */
public final class QuickUsers {
  private QuickUsers() {}

  /** The users of a folder. */
  public static Users in(Path folder, String realm) {
    return new Users(folder, realm, ScramKeys.ITERATIONS_MIN);
  }
}
