package dev.isogrid.server.security;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.text.Normalizer;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The hash functions for storing and proving passwords. All are part of every JDK. */
enum Hash {
  SHA_512("SHA-512", "HmacSHA512", "PBKDF2WithHmacSHA512", 64),
  SHA_384("SHA-384", "HmacSHA384", "PBKDF2WithHmacSHA384", 48),
  SHA_256("SHA-256", "HmacSHA256", "PBKDF2WithHmacSHA256", 32);

  final String title;
  final int size;
  private final String hmac;
  private final String iterated;

  Hash(String title, String hmac, String iterated, int size) {
    this.title = title;
    this.hmac = hmac;
    this.iterated = iterated;
    this.size = size;
  }

  /** The hash function whose name is the suffix of an algorithm's name, or null. */
  static @org.jspecify.annotations.Nullable Hash ofSuffix(String algorithm) {
    for (Hash hash : values()) {
      if (algorithm.toUpperCase(Locale.ROOT).endsWith(hash.title)) {
        return hash;
      }
    }
    return null;
  }

  MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance(title);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  byte[] digest(byte[] message) {
    return newDigest().digest(message);
  }

  /** The keyed hash of concatenated messages. */
  byte[] hmac(byte[] key, byte[]... messages) {
    try {
      Mac mac = Mac.getInstance(hmac);
      mac.init(new SecretKeySpec(key, hmac));
      for (byte[] message : messages) {
        mac.update(message);
      }
      return mac.doFinal();
    } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Hashes a password many times, so that guessing takes long: some milliseconds per guess. */
  byte[] iterated(String password, byte[] salt, int iterations) {
    PBEKeySpec spec = new PBEKeySpec(prepared(password).toCharArray(), salt, iterations, 8 * size);
    try {
      return SecretKeyFactory.getInstance(iterated).generateSecret(spec).getEncoded();
    } catch (NoSuchAlgorithmException | InvalidKeySpecException impossible) {
      throw new AssertionError(impossible);
    } finally {
      spec.clearPassword();
    }
  }

  /** The form of a password that clients hash, independent of the keyboard. */
  static String prepared(String password) {
    return Normalizer.normalize(password, Normalizer.Form.NFKC);
  }
}
