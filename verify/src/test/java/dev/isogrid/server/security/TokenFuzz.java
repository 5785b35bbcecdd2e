package dev.isogrid.server.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;

/**
 * A fuzz target for tokens. The first byte selects the server's key, the second the kind of the
 * rest: a token, edits of a valid token, or claims that the issuer signs.
 */
public final class TokenFuzz {
  private static final long NOW_MILLIS = 1_800_000_000_000L;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final String CLAIMS =
      "{\"sub\":\"ada\",\"exp\":1800000600,\"iat\":1799999999,\"iss\":\"me\",\"aud\":[\"grid\"],"
          + "\"realm\":{\"roles\":[\"admin\"]}}";

  private static final Issuer[] ISSUERS = {new Issuer("RSA"), new Issuer("EC"), new Issuer("HMAC")};

  private TokenFuzz() {}

  /** Signs tokens, and the verifier that knows its key. */
  private static final class Issuer {
    private static final byte[] SECRET =
        "a secret of 32 bytes or of more!!".getBytes(StandardCharsets.US_ASCII);

    private final String kind;
    private final KeyPair pair;
    private final TokenVerifier verifier;
    private final String valid;

    Issuer(String kind) {
      this.kind = kind;
      try {
        KeyPairGenerator generator =
            KeyPairGenerator.getInstance(kind.equals("HMAC") ? "EC" : kind);
        generator.initialize(kind.equals("RSA") ? 2048 : 256);
        this.pair = generator.generateKeyPair();
        this.verifier = new TokenVerifier(settings(), () -> NOW_MILLIS);
        this.valid = signed(CLAIMS.getBytes(StandardCharsets.UTF_8));
      } catch (GeneralSecurityException | IOException failure) {
        throw new IllegalStateException(failure);
      }
    }

    private TokenSettings settings() throws IOException {
      TokenSettings.Claims claims = new TokenSettings.Claims("sub", "realm.roles", false);
      if (kind.equals("HMAC")) {
        Path file = Files.write(Files.createTempFile("isogrid", "secret"), SECRET);
        return new TokenSettings(null, null, file, "me", "grid", claims);
      }
      String pem = Base64.getEncoder().encodeToString(pair.getPublic().getEncoded());
      return new TokenSettings(null, pem, null, "me", "grid", claims);
    }

    private String algorithm() {
      return switch (kind) {
        case "RSA" -> "RS256";
        case "EC" -> "ES256";
        default -> "HS256";
      };
    }

    String signed(byte[] claims) {
      String header = "{\"alg\":\"" + algorithm() + "\"}";
      String text =
          BASE64.encodeToString(header.getBytes(StandardCharsets.US_ASCII))
              + "."
              + BASE64.encodeToString(claims);
      try {
        return text + "." + BASE64.encodeToString(sign(text.getBytes(StandardCharsets.US_ASCII)));
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    private byte[] sign(byte[] text) throws GeneralSecurityException {
      if (kind.equals("HMAC")) {
        return Hash.SHA_256.hmac(SECRET, text);
      }
      Signature signature =
          Signature.getInstance(
              kind.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSAinP1363Format");
      signature.initSign(pair.getPrivate());
      signature.update(text);
      return signature.sign();
    }
  }

  /** Checks one token. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length < 2) {
      return;
    }
    Issuer issuer = ISSUERS[(input[0] & 0xFF) % ISSUERS.length];
    byte[] rest = Arrays.copyOfRange(input, 2, input.length);
    switch ((input[1] & 0xFF) % 3) {
      case 0 -> {
        boolean isTaken = isTaken(issuer, text(rest));
        require(!isTaken || isSame(issuer.valid, text(rest)), "token of a stranger accepted");
      }
      case 1 -> {
        byte[] valid = issuer.valid.getBytes(StandardCharsets.ISO_8859_1);
        String edited = text(Edits.apply(valid, input, 2));
        boolean isSame = isSame(issuer.valid, edited);
        require(isTaken(issuer, edited) == isSame, "edited token, or valid one refused: " + edited);
      }
      default -> isTaken(issuer, issuer.signed(rest));
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Whether a token has the same signed text, and a signature of the same bytes. */
  private static boolean isSame(String valid, String edited) {
    int at = valid.lastIndexOf('.');
    int editedAt = edited.lastIndexOf('.');
    if (editedAt < 0 || !valid.substring(0, at).equals(edited.substring(0, editedAt))) {
      return false;
    }
    try {
      Base64.Decoder base64 = Base64.getUrlDecoder();
      return Arrays.equals(
          base64.decode(valid.substring(at + 1)), base64.decode(edited.substring(editedAt + 1)));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static boolean isTaken(Issuer issuer, String token) {
    try {
      TokenVerifier.Claims claims = issuer.verifier.verify(token);
      require(!claims.user().isBlank(), "no user");
      require(claims.user().length() <= User.NAME_LENGTH_MAX, "long user");
      require(claims.expiresMillis() > NOW_MILLIS, "expired");
      return true;
    } catch (AccessRefused refused) {
      require(refused.reason() == AccessRefused.Reason.LOGIN_FAILED, "another reason");
      return false;
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
