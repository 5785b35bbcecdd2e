package dev.isogrid.server.security;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.EpochClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks tokens of the compact form of JWS (RFC 7515, 7519): that the configured key and an
 * algorithm of its kind made the signature, that {@code exp} exists and is in the future, that
 * {@code nbf} and {@code iat}, if they exist, are in the past, and that {@code iss} and {@code aud}
 * are as configured. A token without a signature, or with an algorithm of another kind of key, is
 * refused: the header of the token does not choose the kind. Thread-safe.
 */
final class TokenVerifier {
  /** The longest token: issuers put groups into tokens, but not that many. */
  static final int LENGTH_MAX = 16 << 10;

  /** The tolerated difference between the clocks of issuer and server. */
  static final long CLOCK_SKEW_SECONDS = 30;

  /** The least size of a secret: by RFC 7518, that of the shortest hash. */
  private static final int SECRET_SIZE_MIN = 32;

  private static final int RSA_BITS_MIN = 2048;
  private static final int EC_BITS = 256;
  private static final int NESTING_MAX = 10;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build())
          .build();

  /**
   * The claims of a token.
   *
   * @param expiresMillis the time of its end, milliseconds since 1970, with the tolerance of clocks
   */
  record Claims(String user, Set<String> roles, long expiresMillis) {}

  private final TokenSettings settings;
  private final EpochClock clock;
  private final @Nullable PublicKey publicKey;
  private final byte @Nullable [] secret;

  /**
   * Reads the key.
   *
   * @throws FatalGridException if the key can't be used; the message names the file
   */
  TokenVerifier(TokenSettings settings, EpochClock clock) {
    this.settings = settings;
    this.clock = clock;
    Path keyFile = settings.publicKey();
    Path secretFile = settings.secret();
    String inline = settings.inlineKey();
    try {
      String pem = keyFile == null ? inline : Files.readString(keyFile);
      this.publicKey = pem == null ? null : publicKey(pem);
      this.secret =
          pem == null ? secret(Files.readAllBytes(Objects.requireNonNull(secretFile))) : null;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      throw new FatalGridException(
          "key of tokens can't be used: file=%s, reason=%s"
                  .formatted(keyFile == null ? secretFile : keyFile, unusable.getMessage())
              + "; give RSA of 2,048 bits or more, EC P-256, or a secret of 32 bytes or more",
          unusable);
    }
  }

  private static PublicKey publicKey(String pem) throws GeneralSecurityException {
    PublicKey key;
    if (pem.contains("BEGIN CERTIFICATE")) {
      key =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
              .getPublicKey();
    } else {
      String base64 = pem.replaceAll("-----[^-]*-----", "").replaceAll("\\s", "");
      byte[] encoded = Base64.getDecoder().decode(base64);
      key = ofKind(new X509EncodedKeySpec(encoded));
    }
    boolean fits =
        switch (key) {
          case RSAPublicKey rsa -> rsa.getModulus().bitLength() >= RSA_BITS_MIN;
          case ECPublicKey ec -> ec.getParams().getOrder().bitLength() == EC_BITS;
          default -> false;
        };
    if (!fits) {
      throw new IllegalArgumentException("kind or length of the key");
    }
    return key;
  }

  private static PublicKey ofKind(X509EncodedKeySpec spec) throws GeneralSecurityException {
    try {
      return KeyFactory.getInstance("RSA").generatePublic(spec);
    } catch (GeneralSecurityException _) {
      return KeyFactory.getInstance("EC").generatePublic(spec);
    }
  }

  private static byte[] secret(byte[] content) {
    int length = content.length;
    while (length > 0 && (content[length - 1] == '\n' || content[length - 1] == '\r')) {
      length--; // editors end files with a line
    }
    if (length < SECRET_SIZE_MIN) {
      throw new IllegalArgumentException("only " + length + " bytes");
    }
    return java.util.Arrays.copyOf(content, length);
  }

  /** A short text that distinguishes tokens; no user has such a name. */
  static String fingerprint(String token) {
    byte[] hash = Hash.SHA_256.digest(token.getBytes(StandardCharsets.UTF_8));
    return "token " + Base64.getEncoder().encodeToString(hash);
  }

  /**
   * Checks a token.
   *
   * @throws AccessRefused if it is not accepted; the message has the reason
   */
  Claims verify(String token) {
    String[] parts = token.length() > LENGTH_MAX ? new String[0] : token.split("\\.", -1);
    if (parts.length != 3) {
      throw refused("not a JWS of three parts, %d bytes at most".formatted(LENGTH_MAX));
    }
    try {
      Map<String, Object> header = parse(decode(parts[0]));
      byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
      String algorithm = String.valueOf(header.get("alg"));
      if (header.containsKey("crit") || !isSignature(algorithm, signed, decode(parts[2]))) {
        throw refused(
            "signature is not one of the configured key: alg=" + AuditLog.shown(algorithm));
      }
      return claims(parse(decode(parts[1])));
    } catch (IOException | IllegalArgumentException malformed) {
      throw refused("malformed");
    } catch (GeneralSecurityException failure) {
      throw refused("signature can't be checked: " + failure.getMessage());
    }
  }

  private static AccessRefused refused(String why) {
    return new AccessRefused(AccessRefused.Reason.LOGIN_FAILED, "token refused: " + why);
  }

  private static byte[] decode(String base64) {
    return Base64.getUrlDecoder().decode(base64);
  }

  private boolean isSignature(String algorithm, byte[] signed, byte[] signature)
      throws GeneralSecurityException {
    byte[] shared = secret;
    if (shared != null) {
      Hash hash =
          algorithm.matches("HS(256|384|512)")
              ? Hash.ofSuffix(algorithm.replace("HS", "SHA-"))
              : null;
      return hash != null && MessageDigest.isEqual(hash.hmac(shared, signed), signature);
    }
    PublicKey key = Objects.requireNonNull(publicKey);
    String name =
        switch (key) {
          case RSAPublicKey _ when algorithm.matches("RS(256|384|512)") ->
              algorithm.replace("RS", "SHA") + "withRSA";
          case ECPublicKey _ when algorithm.equals("ES256") -> "SHA256withECDSAinP1363Format";
          default -> null;
        };
    if (name == null) {
      return false;
    }
    Signature check = Signature.getInstance(name);
    check.initVerify(key);
    check.update(signed);
    try {
      return check.verify(signature);
    } catch (java.security.SignatureException _) {
      return false; // of a wrong length
    }
  }

  private Claims claims(Map<String, Object> claims) {
    long nowSeconds = TimeUnit.MILLISECONDS.toSeconds(clock.millis());
    Long expires = time(claims, "exp");
    if (expires == null) {
      throw refused("claim missing: exp");
    }
    if (expires + CLOCK_SKEW_SECONDS <= nowSeconds) {
      throw refused("expired: exp=%d, now=%d".formatted(expires, nowSeconds));
    }
    for (String claim : List.of("nbf", "iat")) {
      Long since = time(claims, claim);
      if (since != null && since - CLOCK_SKEW_SECONDS > nowSeconds) {
        throw refused("not valid yet: %s=%d, now=%d".formatted(claim, since, nowSeconds));
      }
    }
    require("iss", settings.issuer(), claims);
    require("aud", settings.audience(), claims);
    Object user = claims.get(settings.claims().user());
    if (!(user instanceof String name) || name.isBlank() || name.length() > User.NAME_LENGTH_MAX) {
      throw refused("claim missing: " + settings.claims().user());
    }
    long expiresMillis = TimeUnit.SECONDS.toMillis(expires + CLOCK_SKEW_SECONDS);
    return new Claims(name, roles(claims), expiresMillis);
  }

  private static @Nullable Long time(Map<String, Object> claims, String name) {
    Object value = claims.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Number number && Math.abs(number.doubleValue()) < 1e12) {
      return number.longValue();
    }
    throw refused("claim is not a time: " + name);
  }

  private static void require(String claim, @Nullable String wanted, Map<String, Object> claims) {
    Object value = claims.get(claim);
    boolean holds =
        wanted == null
            || wanted.equals(value)
            || (claim.equals("aud") && value instanceof List<?> list && list.contains(wanted));
    if (!holds) {
      throw refused("not for this server: claim=" + claim);
    }
  }

  private Set<String> roles(Map<String, Object> claims) {
    @Nullable Object value = claims;
    for (String step : settings.claims().roles().split("\\.", -1)) {
      value = value instanceof Map<?, ?> map ? map.get(step) : null;
    }
    Set<String> roles = new LinkedHashSet<>();
    if (value instanceof String text) {
      for (String role : text.split("[ ,]+", -1)) {
        roles.add(role);
      }
    } else if (value instanceof List<?> list) {
      list.forEach(role -> roles.add(String.valueOf(role)));
    }
    return roles;
  }

  private static Map<String, Object> parse(byte[] json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not an object");
      }
      Map<String, Object> object = object(parser);
      if (parser.nextToken() != null) {
        throw new IOException("more than an object");
      }
      return object;
    }
  }

  /** Reads an object; the parser limits the depth. */
  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> object = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      object.put(name, value(parser));
    }
    return object;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
      case VALUE_STRING -> parser.getText();
      default -> "null";
    };
  }
}
