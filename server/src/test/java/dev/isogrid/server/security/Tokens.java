package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;

/** Makes tokens as an issuer does. */
final class Tokens {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private Tokens() {}

  static KeyPair pair(String kind) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
    generator.initialize(kind.equals("EC") ? 256 : 2048);
    return generator.generateKeyPair();
  }

  private static String encode(String json) {
    return BASE64.encodeToString(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static String head(String algorithm, String claims) {
    return encode("{'alg':'" + algorithm + "','typ':'JWT'}") + "." + encode(claims);
  }

  static String unsigned(String claims) {
    return head("none", claims) + ".";
  }

  static String signed(String algorithm, String secret, String claims) {
    return mac(
        algorithm.equals("HS512") ? Hash.SHA_512 : Hash.SHA_256, head(algorithm, claims), secret);
  }

  /** A token by HS256 with another header. */
  static String withHeader(String header, String secret, String claims) {
    return mac(Hash.SHA_256, encode(header) + "." + encode(claims), secret);
  }

  private static String mac(Hash hash, String head, String secret) {
    byte[] mac =
        hash.hmac(
            secret.getBytes(StandardCharsets.UTF_8), head.getBytes(StandardCharsets.US_ASCII));
    return head + "." + BASE64.encodeToString(mac);
  }

  static String signed(String algorithm, KeyPair pair, String claims) throws Exception {
    String head = head(algorithm, claims);
    Signature signature =
        Signature.getInstance(
            algorithm.equals("RS256") ? "SHA256withRSA" : "SHA256withECDSAinP1363Format");
    signature.initSign(pair.getPrivate());
    signature.update(head.getBytes(StandardCharsets.US_ASCII));
    return head + "." + BASE64.encodeToString(signature.sign());
  }
}
