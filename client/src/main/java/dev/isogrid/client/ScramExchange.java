package dev.isogrid.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * SCRAM (RFC 5802, 7677) without channel binding. The server proves that it knows the password,
 * too.
 *
 * <pre>
 * client  n,,n=user,r=nonce
 * server  r=nonce+more,s=salt,i=iterations
 * client  c=biws,r=nonce+more,p=proof
 * server  v=signature
 * </pre>
 */
final class ScramExchange implements SaslExchange {
  private static final String HEADER = "n,,";
  private static final int NONCE_BYTES = 18;

  /** With fewer an eavesdropper could guess passwords; RFC 7677 asks for this number. */
  private static final int ITERATIONS_MIN = 4_096;

  /** More would let a false server keep a thread busy. */
  private static final int ITERATIONS_MAX = 1_000_000;

  private static final SecureRandom random = new SecureRandom();

  private final String hash;
  private final byte[] password;
  private final String nonce;
  private final String firstBare;
  private byte @Nullable [] signature;
  private boolean isComplete;

  ScramExchange(String mechanism, String username, String password) {
    this.hash = mechanism.substring("SCRAM-".length());
    this.password = password.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    this.nonce = Base64.getEncoder().encodeToString(bytes);
    String name = username.replace("=", "=3D").replace(",", "=2C");
    this.firstBare = "n=" + name + ",r=" + nonce;
  }

  @Override
  public byte[] first() {
    return (HEADER + firstBare).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean isComplete() {
    return isComplete;
  }

  @Override
  public byte @Nullable [] next(byte[] challenge) {
    String message = new String(challenge, StandardCharsets.UTF_8);
    try {
      byte[] expected = signature;
      if (expected == null) {
        return proof(message);
      }
      if (!message.startsWith("v=")
          || !MessageDigest.isEqual(expected, Base64.getDecoder().decode(message.substring(2)))) {
        throw new HotRodClientException("the server does not know the password it is to check");
      }
      isComplete = true;
      return null;
    } catch (GeneralSecurityException | IllegalArgumentException cause) {
      throw new HotRodClientException("SCRAM failed: " + cause.getMessage(), cause);
    }
  }

  private byte[] proof(String serverFirst) throws GeneralSecurityException {
    String[] fields = serverFirst.split(",", -1);
    if (fields.length < 3
        || !fields[0].startsWith("r=" + nonce)
        || !fields[1].startsWith("s=")
        || !fields[2].startsWith("i=")) {
      throw new HotRodClientException("SCRAM: the server's message is not r=nonce,s=salt,i=count");
    }
    int iterations = Integer.parseInt(fields[2].substring(2));
    if (iterations < ITERATIONS_MIN || iterations > ITERATIONS_MAX) {
      throw new HotRodClientException("SCRAM: iterations out of range: count=" + iterations);
    }
    byte[] salted = salted(Base64.getDecoder().decode(fields[1].substring(2)), iterations);
    String withoutProof =
        "c=" + Base64.getEncoder().encodeToString(bytes(HEADER)) + "," + fields[0];
    byte[] exchanged = bytes(firstBare + "," + serverFirst + "," + withoutProof);
    byte[] proof = hmac(salted, bytes("Client Key"));
    byte[] stored = MessageDigest.getInstance(hash).digest(proof);
    byte[] mask = hmac(stored, exchanged);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= mask[i];
    }
    signature = hmac(hmac(salted, bytes("Server Key")), exchanged);
    return bytes(withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Mac mac(byte[] key) throws GeneralSecurityException {
    String algorithm = "Hmac" + hash.replace("-", "");
    Mac mac = Mac.getInstance(algorithm);
    mac.init(new SecretKeySpec(key, algorithm));
    return mac;
  }

  private byte[] hmac(byte[] key, byte[] message) throws GeneralSecurityException {
    return mac(key).doFinal(message);
  }

  private byte[] salted(byte[] salt, int iterations) throws GeneralSecurityException {
    Mac mac = mac(password);
    mac.update(salt);
    byte[] round = mac.doFinal(new byte[] {0, 0, 0, 1});
    byte[] sum = round.clone();
    for (int i = 1; i < iterations; i++) {
      round = mac.doFinal(round);
      for (int j = 0; j < sum.length; j++) {
        sum[j] ^= round[j];
      }
    }
    return sum;
  }
}
