package dev.isogrid.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * DIGEST-MD5 (RFC 2831), and the same with other hash functions, which the JDK does not have. Has
 * no layer of its own for integrity or encryption: TLS does that. The server proves that it knows
 * the password, too.
 *
 * <pre>
 * client  (nothing)
 * server  realm="default",nonce="...",qop="auth",charset=utf-8,algorithm=md5-sess
 * client  charset=utf-8,username="ada",realm="default",nonce="...",nc=00000001,cnonce="...",
 *         digest-uri="hotrod/infinispan",response=...,qop=auth
 * server  rspauth=...
 * </pre>
 */
final class DigestExchange implements SaslExchange {
  /** The name of servers unless they are configured with another one. */
  private static final String URI = "hotrod/infinispan";

  private static final int CHALLENGE_MAX = 4096;
  private static final int NONCE_BYTES = 18;
  private static final Pattern DIRECTIVE =
      Pattern.compile("\\G\\s*([a-zA-Z-]+)=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^,\"]*))\\s*(?:,|$)");
  private static final SecureRandom random = new SecureRandom();

  private final String mechanism;
  private final String hash;
  private final String username;
  private final String password;
  private @Nullable String expected;
  private boolean isComplete;

  DigestExchange(String mechanism, String username, String password) {
    this.mechanism = mechanism;
    this.hash = mechanism.substring("DIGEST-".length());
    this.username = username;
    this.password = Normalizer.normalize(password, Normalizer.Form.NFKC);
  }

  @Override
  public byte[] first() {
    return new byte[0];
  }

  @Override
  public boolean isComplete() {
    return isComplete;
  }

  @Override
  public byte @Nullable [] next(byte[] challenge) {
    if (challenge.length > CHALLENGE_MAX) {
      throw new HotRodClientException(mechanism + ": challenge too long");
    }
    String message = new String(challenge, StandardCharsets.UTF_8);
    Map<String, String> fields = fields(message);
    String proof = expected;
    if (proof == null) {
      try {
        return response(fields).getBytes(StandardCharsets.UTF_8);
      } catch (GeneralSecurityException cause) {
        throw new HotRodClientException(mechanism + " failed: " + cause.getMessage(), cause);
      }
    }
    byte[] given = fields.getOrDefault("rspauth", "").getBytes(StandardCharsets.US_ASCII);
    if (!MessageDigest.isEqual(proof.getBytes(StandardCharsets.US_ASCII), given)) {
      throw new HotRodClientException("the server does not know the password it is to check");
    }
    isComplete = true;
    return null;
  }

  private Map<String, String> fields(String message) {
    Map<String, String> fields = new HashMap<>();
    Matcher matcher = DIRECTIVE.matcher(message);
    int end = 0;
    while (end < message.length() && matcher.find()) {
      String quoted = matcher.group(2);
      String value = quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1");
      fields.putIfAbsent(matcher.group(1), value);
      end = matcher.end();
    }
    if (end < message.length()) {
      throw new HotRodClientException(mechanism + ": challenge is not name=value: " + message);
    }
    return fields;
  }

  private String response(Map<String, String> fields) throws GeneralSecurityException {
    String nonce = fields.getOrDefault("nonce", "");
    String realm = fields.getOrDefault("realm", "");
    if (nonce.isEmpty() || !("," + fields.getOrDefault("qop", "auth") + ",").contains(",auth,")) {
      throw new HotRodClientException(
          "%s: challenge without nonce or without qop=auth; use another mechanism"
              .formatted(mechanism));
    }
    byte[] bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    String clientNonce = HexFormat.of().formatHex(bytes);
    byte[] secret = digest(secret(username + ":" + realm + ":" + password));
    byte[] nonces = bytes(":" + nonce + ":" + clientNonce);
    byte[] both = new byte[secret.length + nonces.length];
    System.arraycopy(secret, 0, both, 0, secret.length);
    System.arraycopy(nonces, 0, both, secret.length, nonces.length);
    String middle = ":" + nonce + ":00000001:" + clientNonce + ":auth:";
    String first = hex(both) + middle;
    expected = hex(bytes(first + hex(bytes(":" + URI))));
    String proof = hex(bytes(first + hex(bytes("AUTHENTICATE:" + URI))));
    return "charset=utf-8,username=%s,realm=%s,nonce=%s,nc=00000001,cnonce=%s,digest-uri=%s"
            .formatted(
                quoted(username), quoted(realm), quoted(nonce), quoted(clientNonce), quoted(URI))
        + ",response="
        + proof
        + ",qop=auth";
  }

  /** RFC 2831 wants ISO 8859-1 if that has all characters; the other mechanisms use UTF-8. */
  private byte[] secret(String text) {
    boolean isLatin = hash.equals("MD5") && text.chars().allMatch(c -> c < 0x100);
    return text.getBytes(isLatin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String hex(byte[] message) throws GeneralSecurityException {
    return HexFormat.of().formatHex(digest(message));
  }

  private byte[] digest(byte[] message) throws GeneralSecurityException {
    return MessageDigest.getInstance(hash).digest(message);
  }
}
