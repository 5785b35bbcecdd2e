package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The salts and keys of users that do not exist: always the same for the same name, mechanism and
 * secret, and as random as real ones. The secret is a line of the users' file, so that servers with
 * the same users compute the same keys. Immutable.
 */
final class MadeUpKeys {
  private static final int SECRET_SIZE = Hash.SHA_512.size;

  private final byte[] secret;
  private final Map<Hash, Integer> iterations;

  /**
   * Takes the secret of a users' file.
   *
   * @param secret from {@link #newSecret}; see {@link #isSecret}
   * @param users of the file, whose usual number of iterations is used, too
   */
  MadeUpKeys(String secret, Collection<User> users) {
    this.secret = Base64.getDecoder().decode(secret);
    this.iterations = new EnumMap<>(Hash.class);
    for (Hash hash : Hash.values()) {
      iterations.put(hash, usualIterations(hash, users));
    }
  }

  /** Returns a new secret as text. */
  static String newSecret() {
    byte[] bytes = new byte[SECRET_SIZE];
    new SecureRandom().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Returns whether a text is a secret. */
  static boolean isSecret(String text) {
    try {
      return Base64.getDecoder().decode(text).length == SECRET_SIZE;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** The number of iterations that most users have, the highest in case of a tie. */
  private static int usualIterations(Hash hash, Collection<User> users) {
    Map<Integer, Integer> counts = new TreeMap<>();
    for (User user : users) {
      ScramKeys keys = user.scram(hash);
      if (keys != null) {
        counts.merge(keys.iterations, 1, Integer::sum);
      }
    }
    int usual = ScramKeys.ITERATIONS;
    int most = 0;
    for (Map.Entry<Integer, Integer> each : counts.entrySet()) {
      if (each.getValue() >= most) {
        most = each.getValue();
        usual = each.getKey();
      }
    }
    return usual;
  }

  private byte[] bytes(String purpose, String user, Hash hash, int size) {
    byte[] made =
        Hash.SHA_512.hmac(
            secret,
            (purpose + ' ' + hash.title + ' ').getBytes(StandardCharsets.UTF_8),
            user.getBytes(StandardCharsets.UTF_8));
    return Arrays.copyOf(made, size);
  }

  /** The SCRAM keys of a name. No password matches them. */
  ScramKeys scramKeys(String name, Hash hash) {
    @Nullable Integer usual = iterations.get(hash);
    return new ScramKeys(
        hash,
        usual == null ? ScramKeys.ITERATIONS : usual,
        bytes("salt", name, hash, ScramKeys.SALT_SIZE),
        bytes("stored", name, hash, hash.size),
        bytes("server", name, hash, hash.size));
  }

  /** The DIGEST hash of a name. No password matches it. */
  byte[] digest(String name, Hash hash) {
    return bytes("digest", name, hash, hash.size);
  }
}
