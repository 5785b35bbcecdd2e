package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;

/**
 * The SCRAM keys that a server stores for a password (RFC 5802): enough to check a proof, too
 * little to make one. Immutable.
 */
final class ScramKeys {
  /**
   * The hash iterations. Clients accept 32,768 at most. More iterations make each guess and each
   * login slower.
   */
  static final int ITERATIONS = 16_384;

  /** The least iterations by RFC 7677. */
  static final int ITERATIONS_MIN = 4096;

  static final int ITERATIONS_MAX = 10_000_000;
  static final int SALT_SIZE = 18;

  private static final byte[] CLIENT_KEY = "Client Key".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SERVER_KEY = "Server Key".getBytes(StandardCharsets.US_ASCII);

  final Hash hash;
  final int iterations;
  private final byte[] salt;
  private final byte[] storedKey;
  private final byte[] serverKey;

  ScramKeys(Hash hash, int iterations, byte[] salt, byte[] storedKey, byte[] serverKey) {
    this.hash = hash;
    this.iterations = iterations;
    this.salt = salt.clone();
    this.storedKey = storedKey.clone();
    this.serverKey = serverKey.clone();
  }

  static ScramKeys of(Hash hash, String password, byte[] salt, int iterations) {
    byte[] salted = hash.iterated(password, salt, iterations);
    return new ScramKeys(
        hash,
        iterations,
        salt,
        hash.digest(hash.hmac(salted, CLIENT_KEY)),
        hash.hmac(salted, SERVER_KEY));
  }

  String saltText() {
    return Base64.getEncoder().encodeToString(salt);
  }

  /** Whether a password belongs to these keys. Takes as long as making them. */
  boolean fits(String password) {
    byte[] salted = hash.iterated(password, salt, iterations);
    return isOfClientKey(hash.hmac(salted, CLIENT_KEY));
  }

  /** Returns whether the proof matches the stored key. */
  boolean proves(byte[] proof, byte[] exchanged) {
    if (proof.length != hash.size) {
      return false;
    }
    byte[] clientKey = hash.hmac(storedKey, exchanged);
    for (int i = 0; i < clientKey.length; i++) {
      clientKey[i] ^= proof[i];
    }
    return isOfClientKey(clientKey);
  }

  private boolean isOfClientKey(byte[] clientKey) {
    return MessageDigest.isEqual(hash.digest(clientKey), storedKey);
  }

  /** The signature that proves to the client that the server stores its keys. */
  byte[] serverSignature(byte[] exchanged) {
    return hash.hmac(serverKey, exchanged);
  }

  /** The inverse of {@link #parse}. */
  String text() {
    Base64.Encoder base64 = Base64.getEncoder();
    return "SCRAM-%s:%d:%s:%s:%s"
        .formatted(
            hash.title,
            iterations,
            saltText(),
            base64.encodeToString(storedKey),
            base64.encodeToString(serverKey));
  }

  /**
   * Reads one form of a password in the users' file.
   *
   * @throws IllegalArgumentException if the text is malformed
   */
  static ScramKeys parse(String text) {
    String[] parts = text.split(":", -1);
    Hash hash = Hash.ofSuffix(parts[0]);
    if (hash == null || parts.length != 5) {
      throw new IllegalArgumentException("unknown form of a password");
    }
    int iterations = Integer.parseInt(parts[1]);
    Base64.Decoder base64 = Base64.getDecoder();
    byte[] stored = base64.decode(parts[3]);
    byte[] server = base64.decode(parts[4]);
    if (iterations < ITERATIONS_MIN
        || iterations > ITERATIONS_MAX
        || stored.length != hash.size
        || server.length != hash.size) {
      throw new IllegalArgumentException("password with wrong iterations or length of keys");
    }
    return new ScramKeys(hash, iterations, base64.decode(parts[2]), stored, server);
  }
}
