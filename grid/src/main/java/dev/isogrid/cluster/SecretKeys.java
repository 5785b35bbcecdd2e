package dev.isogrid.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Derives a key pair and its certificate from a secret: the same ones for the same secret. */
final class SecretKeys {
  /*
   * TLS needs a private key and a certificate on each side. All nodes that have the secret derive
   * the same pair of Ed25519, and accept only the certificate of that very key. The handshake
   * proves that the other side has the private key, hence the secret.
   *
   *   seed        = PBKDF2-HMAC-SHA-256(secret, SALT, ITERATIONS, 256 bits)
   *   private key = seed                                             (RFC 8032, section 5.1.5)
   *   certificate = version 1, signed by this key, valid at any time (RFC 5280, section 4.1)
   *
   * A stranger who connects gets the certificate, and with it a public key to check guesses of the
   * secret against. That is why the derivation is slow, and why a secret should be random. Nothing
   * in the certificate but its key is looked at.
   */

  /** The cost of a guess: about a third of a second, once per start of a node. */
  private static final int ITERATIONS = 600_000;

  /** The same on all nodes, and in no other use of the same secret. */
  private static final byte[] SALT =
      "isogrid: TLS between the nodes of a cluster, 1".getBytes(StandardCharsets.US_ASCII);

  private static final int SEED_BITS = 256;
  private static final String ALGORITHM = "Ed25519";
  private static final String NAME = "nodes with the cluster's secret";

  // tags of DER
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OBJECT = 0x06;
  private static final int UTF8 = 0x0C;
  private static final int TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  private static final byte[] ED25519_NUMBER = {0x2B, 0x65, 0x70};
  private static final byte[] COMMON_NAME_NUMBER = {0x55, 0x04, 0x03};

  private SecretKeys() {}

  /** A private key and its certificate. */
  record Pair(KeyPair keys, X509Certificate certificate) {}

  /**
   * The pair of a secret. Takes some hundred milliseconds.
   *
   * @throws GeneralSecurityException if this Java does not have the algorithms
   */
  static Pair of(String secret) throws GeneralSecurityException {
    KeyPair keys = keys(seed(secret));
    return new Pair(keys, certificate(keys));
  }

  private static byte[] seed(String secret) throws GeneralSecurityException {
    PBEKeySpec password = new PBEKeySpec(secret.toCharArray(), SALT, ITERATIONS, SEED_BITS);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
          .generateSecret(password)
          .getEncoded();
    } finally {
      password.clearPassword();
    }
  }

  private static KeyPair keys(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
    generator.initialize(NamedParameterSpec.ED25519, new Given(seed));
    KeyPair keys = generator.generateKeyPair();
    boolean isDerived =
        keys.getPrivate() instanceof EdECPrivateKey key
            && Arrays.equals(key.getBytes().orElse(null), seed);
    if (!isDerived) { // another provider may draw as it likes
      throw new GeneralSecurityException(
          "keys of %s can't be derived by the provider %s"
              .formatted(ALGORITHM, generator.getProvider().getName()));
    }
    return keys;
  }

  /** Hands out the seed, which is as long as what the generator asks for. */
  private static final class Given extends SecureRandom {
    private static final long serialVersionUID = 1;

    private final byte[] seed;

    Given(byte[] seed) {
      this.seed = seed;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      if (bytes.length != seed.length) {
        throw new IllegalStateException("bytes asked for: " + bytes.length);
      }
      System.arraycopy(seed, 0, bytes, 0, seed.length);
    }
  }

  private static X509Certificate certificate(KeyPair keys) throws GeneralSecurityException {
    byte[] algorithm = der(SEQUENCE, der(OBJECT, ED25519_NUMBER));
    byte[] name =
        der(
            SEQUENCE,
            der(
                SET,
                der(
                    SEQUENCE,
                    der(OBJECT, COMMON_NAME_NUMBER),
                    der(UTF8, NAME.getBytes(StandardCharsets.UTF_8)))));
    byte[] signed =
        der(
            SEQUENCE,
            der(INTEGER, new byte[] {1}),
            algorithm,
            name,
            der(SEQUENCE, time("20000101000000Z"), time("99991231235959Z")),
            name,
            keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance(ALGORITHM);
    signature.initSign(keys.getPrivate());
    signature.update(signed);
    byte[] unusedBits = {0};
    byte[] all = der(SEQUENCE, signed, algorithm, der(BIT_STRING, unusedBits, signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(all));
  }

  private static byte[] time(String text) {
    return der(TIME, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A field of DER; what is in it has at most 65,535 bytes. */
  private static byte[] der(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream field = new ByteArrayOutputStream(length + 4);
    field.write(tag);
    if (length > 0xFF) {
      field.write(0x82);
      field.write(length >> 8);
    } else if (length > 0x7F) {
      field.write(0x81);
    }
    field.write(length);
    for (byte[] part : parts) {
      field.write(part, 0, part.length);
    }
    return field.toByteArray();
  }
}
