package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A user of the users' file: a name, roles, and the stored forms of the password, one per
 * mechanism. Immutable; thread-safe.
 */
final class User {
  /** The longest name. */
  static final int NAME_LENGTH_MAX = 255;

  private static final String ROLES = "roles:";
  private static final String SCRAM = "SCRAM-";
  private static final String DIGEST = "DIGEST-";

  final String name;
  final Set<String> roles;
  private final Map<Hash, ScramKeys> scram;

  /** By hash and realm, such as {@code SHA-256:default}. */
  private final Map<String, byte[]> digests;

  /** Computed at the first use; several threads compute the same. */
  private volatile @Nullable String passwordVersion;

  private User(
      String name,
      Collection<String> roles,
      Map<Hash, ScramKeys> scram,
      Map<String, byte[]> digests) {
    this.name = name;
    this.roles = Collections.unmodifiableSet(new TreeSet<>(roles));
    this.scram = scram;
    this.digests = digests;
  }

  /**
   * A user without a password, for logins by a certificate or a token only.
   *
   * @throws IllegalArgumentException if the name is not valid
   */
  static User withoutPassword(String name, Collection<String> roles) {
    checkName("user", name);
    roles.forEach(role -> checkName("role", role));
    return new User(name, roles, Map.of(), Map.of());
  }

  private static void checkName(String kind, String name) {
    boolean fits =
        !name.isEmpty()
            && name.length() <= NAME_LENGTH_MAX
            && name.chars().noneMatch(c -> c <= ' ' || c == 0x7f || ",;:=\"\\#!".indexOf(c) >= 0);
    if (!fits) {
      throw new IllegalArgumentException(
          "unusable name: %s=%s; use 1 to %d characters without blanks and , ; : = # ! \" \\"
              .formatted(kind, AuditLog.shown(name), NAME_LENGTH_MAX));
    }
  }

  /**
   * The same user with another password.
   *
   * @param iterations of the hashes for SCRAM
   */
  User withPassword(String password, String realm, int iterations, SecureRandom random) {
    Map<Hash, ScramKeys> keys = new EnumMap<>(Hash.class);
    Map<String, byte[]> hashed = new java.util.LinkedHashMap<>();
    byte[] secret =
        (name + ":" + realm + ":" + Hash.prepared(password)).getBytes(StandardCharsets.UTF_8);
    for (Hash hash : Hash.values()) {
      byte[] salt = new byte[ScramKeys.SALT_SIZE];
      random.nextBytes(salt);
      keys.put(hash, ScramKeys.of(hash, password, salt, iterations));
      hashed.put(hash.title + ":" + realm, hash.digest(secret));
    }
    return new User(name, roles, keys, hashed);
  }

  /** The same user with other roles. */
  User withRoles(Collection<String> newRoles) {
    newRoles.forEach(role -> checkName("role", role));
    return new User(name, newRoles, scram, digests);
  }

  /**
   * A text that differs between passwords, and also if the same password is set again. It does not
   * reveal the stored forms.
   */
  String passwordVersion() {
    String known = passwordVersion;
    if (known == null) {
      byte[] kept = withRoles(Set.of()).text().getBytes(StandardCharsets.UTF_8);
      known = Base64.getEncoder().encodeToString(Hash.SHA_256.digest(kept));
      passwordVersion = known;
    }
    return known;
  }

  /** Whether the user can log in by a password. */
  boolean hasPassword() {
    return !scram.isEmpty();
  }

  /** The SCRAM keys, or null if the user has no password. */
  @Nullable ScramKeys scram(Hash hash) {
    return scram.get(hash);
  }

  /** The hash of name, realm and password, or null if there is none for the realm. */
  byte @Nullable [] digest(Hash hash, String realm) {
    byte[] found = digests.get(hash.title + ":" + realm);
    return found == null ? null : found.clone();
  }

  /** Whether this is the user's password. Takes some milliseconds, on purpose. */
  boolean hasPassword(String password) {
    ScramKeys keys = scram.get(Hash.SHA_256);
    return keys != null && keys.fits(password);
  }

  /** The value of the user's line in the users' file; the inverse of {@link #parse}. */
  String text() {
    List<String> parts = new ArrayList<>();
    parts.add(ROLES + String.join(",", roles));
    scram.values().forEach(keys -> parts.add(keys.text()));
    digests.forEach((key, hashed) ->
        parts.add(DIGEST + key + ":" + Base64.getEncoder().encodeToString(hashed)));
    return String.join(";", parts);
  }

  /**
   * Reads a line of the users' file.
   *
   * @throws IllegalArgumentException if the line is malformed
   */
  static User parse(String name, String text) {
    List<String> roles = new ArrayList<>();
    Map<Hash, ScramKeys> scram = new EnumMap<>(Hash.class);
    Map<String, byte[]> digests = new java.util.LinkedHashMap<>();
    for (String part : text.split(";", -1)) {
      if (part.startsWith(ROLES)) {
        for (String role : part.substring(ROLES.length()).split(",", -1)) {
          if (!role.isBlank()) {
            roles.add(role.strip());
          }
        }
      } else if (part.startsWith(SCRAM)) {
        ScramKeys keys = ScramKeys.parse(part);
        scram.put(keys.hash, keys);
      } else if (part.startsWith(DIGEST)) {
        int end = part.lastIndexOf(':');
        digests.put(
            part.substring(DIGEST.length(), end),
            Base64.getDecoder().decode(part.substring(end + 1)));
      } else if (!part.isBlank()) {
        throw new IllegalArgumentException("unknown form of a password");
      }
    }
    User user = withoutPassword(name, roles);
    return new User(name, user.roles, scram, digests);
  }
}
