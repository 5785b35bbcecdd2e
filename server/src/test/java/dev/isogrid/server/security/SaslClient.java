package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** Makes the messages of a SASL client. */
public final class SaslClient {
  private SaslClient() {}

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Sends a message, and returns the reply. */
  static String step(Caller caller, String mechanism, String message) {
    return new String(caller.step(mechanism, utf8(message)).bytes(), StandardCharsets.UTF_8);
  }

  /** The client's first message of SCRAM without its header. */
  static String scramBare(String user) {
    return "n=" + user + ",r=clientnonce";
  }

  /** The fields of the server's first message of SCRAM. */
  static Map<String, String> scramFields(String serverFirst) {
    Map<String, String> fields = new HashMap<>();
    for (String field : serverFirst.split(",", -1)) {
      fields.put(field.substring(0, 1), field.substring(2));
    }
    return fields;
  }

  /** The client's last message of SCRAM, by RFC 5802. */
  static String scramLast(Hash hash, String bare, String serverFirst, String password) {
    Map<String, String> fields = scramFields(serverFirst);
    byte[] salt = Base64.getDecoder().decode(fields.get("s"));
    byte[] salted =
        hash.iterated(password, salt, Integer.parseInt(String.valueOf(fields.get("i"))));
    String last = "c=biws,r=" + fields.get("r");
    byte[] clientKey = hash.hmac(salted, utf8("Client Key"));
    byte[] proof = hash.hmac(hash.digest(clientKey), utf8(bare + "," + serverFirst + "," + last));
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= clientKey[i];
    }
    return last + ",p=" + Base64.getEncoder().encodeToString(proof);
  }

  /** Begins a login by SCRAM with SHA-256, and returns the server's first message. */
  static String beginScram(Caller caller, String user) {
    return step(caller, "SCRAM-SHA-256", "n,," + scramBare(user));
  }

  /** Ends a login by SCRAM with SHA-256. */
  static void endScram(Caller caller, String user, String serverFirst, String password) {
    step(caller, "SCRAM-SHA-256", scramLast(Hash.SHA_256, scramBare(user), serverFirst, password));
  }

  /** The nonce of a challenge of DIGEST. */
  static String digestNonce(String challenge) {
    return String.valueOf(Directives.parse(challenge).get("nonce"));
  }

  /** The beginning of both sides' proofs in DIGEST with SHA-256, by RFC 2831. */
  static String digestHead(String user, String password, String nonce) {
    Hash hash = Hash.SHA_256;
    MessageDigest first = hash.newDigest();
    first.update(hash.digest(utf8(user + ":default:" + password)));
    first.update(utf8(":" + nonce + ":cn"));
    return HexFormat.of().formatHex(first.digest()) + ":" + nonce + ":00000001:cn:auth:";
  }

  /** The client's answer to a challenge of DIGEST with SHA-256. */
  static String digestAnswer(String user, String password, String nonce) {
    return "username=\"%s\",realm=\"default\",nonce=\"%s\",nc=00000001,cnonce=\"cn\",qop=auth,"
            .formatted(user, nonce)
        + "digest-uri=\"hotrod/infinispan\",response="
        + hashed(digestHead(user, password, nonce) + hashed("AUTHENTICATE:hotrod/infinispan"));
  }

  /** The hash with SHA-256 in hexadecimal digits. */
  static String hashed(String text) {
    return HexFormat.of().formatHex(Hash.SHA_256.digest(utf8(text)));
  }

  /** The header of a request of HTTP that logs in by BASIC. */
  static String basic(String user, String password) {
    return "Basic " + Base64.getEncoder().encodeToString(utf8(user + ":" + password));
  }

  /** The header of a GET that logs in by DIGEST with SHA-256, by RFC 7616. */
  public static String httpDigest(
      String user, String password, String nonce, int number, String uri) {
    String count = "%08x".formatted(number);
    String response =
        hashed(
            "%s:%s:%s:cn:auth:%s"
                .formatted(
                    hashed(user + ":default:" + password), nonce, count, hashed("GET:" + uri)));
    return "Digest username=\"%s\", realm=\"default\", nonce=\"%s\", uri=\"%s\", qop=auth,"
            .formatted(user, nonce, uri)
        + " algorithm=SHA-256, nc=%s, cnonce=\"cn\", response=\"%s\"".formatted(count, response);
  }

  /** The nonce of the first challenge of HTTP, which is one of DIGEST. */
  static String httpNonce(HttpLogin login) {
    return digestNonce(login.challenges().getFirst().substring("Digest ".length()));
  }
}
