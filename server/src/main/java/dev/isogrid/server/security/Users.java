package dev.isogrid.server.security;

import dev.isogrid.api.InvalidRequestException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes the users in a server's folder, whether or not the server runs. Each method reads and
 * writes the file. Thread-safe, between processes as well.
 */
public final class Users {
  private final UserFile file;
  private final String realm;
  private final int iterations;
  private final SecureRandom random = new SecureRandom();

  /**
   * The users of a folder.
   *
   * @param folder need not exist; created with the first user
   * @param realm a part of the DIGEST hash
   */
  public Users(Path folder, String realm) {
    this(folder, realm, ScramKeys.ITERATIONS);
  }

  /** The users of a folder, the passwords of new ones with hashes of so many iterations. */
  Users(Path folder, String realm, int iterations) {
    this.file = new UserFile(folder);
    this.realm = realm;
    this.iterations = iterations;
  }

  /** The file of the users. */
  public Path path() {
    return file.path();
  }

  /** Returns whether other accounts of the machine can write to the folder. */
  public boolean isFolderOpen() {
    return file.isFolderOpen();
  }

  /** The roles of each user. */
  public Map<String, Set<String>> roles() {
    Map<String, Set<String>> roles = new TreeMap<>();
    file.read().forEach((name, user) -> roles.put(name, user.roles));
    return roles;
  }

  /** Whether a user can log in by a password. */
  public boolean hasPassword(String name) {
    User user = file.read().get(name);
    return user != null && user.hasPassword();
  }

  /**
   * Creates a user.
   *
   * @param password null for logins by a certificate or a token only
   * @throws InvalidRequestException if the user exists, or a name is not valid
   */
  public void create(String name, @Nullable String password, Collection<String> roles) {
    User user = checked(() -> User.withoutPassword(name, roles));
    User complete = password == null ? user : withPassword(user, password);
    file.change(users -> {
      if (users.putIfAbsent(name, complete) != null) {
        throw new InvalidRequestException(
            "user exists already: user=%s; change the password, or remove the user first"
                .formatted(name));
      }
      return users;
    });
  }

  /**
   * Removes a user.
   *
   * @throws InvalidRequestException if there is no such user
   */
  public void remove(String name) {
    file.change(users -> {
      if (users.remove(name) == null) {
        throw missing(name);
      }
      return users;
    });
  }

  /**
   * Sets a password.
   *
   * @throws InvalidRequestException if there is no such user
   */
  public void password(String name, String password) {
    change(name, user -> withPassword(user, password));
  }

  /**
   * Gives a user more roles.
   *
   * @throws InvalidRequestException if there is no such user, or a name is not valid
   */
  public void grant(String name, Collection<String> roles) {
    change(
        name,
        user -> {
          Set<String> all = new TreeSet<>(user.roles);
          all.addAll(roles);
          return checked(() -> user.withRoles(all));
        });
  }

  /**
   * Revokes roles of a user.
   *
   * @throws InvalidRequestException if there is no such user, or the user lacks one of the roles
   */
  public void revoke(String name, Collection<String> roles) {
    change(
        name,
        user -> {
          Set<String> left = new TreeSet<>(user.roles);
          for (String role : roles) {
            if (!left.remove(role)) {
              throw new InvalidRequestException(
                  "user has no such role: user=%s, role=%s; see isogrid user list"
                      .formatted(name, role));
            }
          }
          return user.withRoles(left);
        });
  }

  private void change(String name, UnaryOperator<User> change) {
    file.change(users -> {
      User user = users.get(name);
      if (user == null) {
        throw missing(name);
      }
      users.put(name, change.apply(user));
      return users;
    });
  }

  private User withPassword(User user, String password) {
    if (password.isEmpty() || password.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidRequestException(
          "unusable password: give at least one character, and none that controls a terminal");
    }
    return user.withPassword(password, realm, iterations, random);
  }

  private static InvalidRequestException missing(String name) {
    return new InvalidRequestException(
        "no such user: user=%s; see isogrid user list".formatted(name));
  }

  private static User checked(java.util.function.Supplier<User> user) {
    try {
      return user.get();
    } catch (IllegalArgumentException wrong) {
      throw new InvalidRequestException(String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
