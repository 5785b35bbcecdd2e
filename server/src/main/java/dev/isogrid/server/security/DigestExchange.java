package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * DIGEST of RFC 2831, but with a hash function of the SHA-2 family instead of MD5, as in Hot Rod
 * clients. Without integrity protection or encryption of its own: TLS provides these.
 *
 * <pre>
 * server  realm="default",nonce="...",qop="auth",charset=utf-8,algorithm=md5-sess
 * client  charset=utf-8,username="ada",realm="default",nonce="...",nc=00000001,cnonce="...",
 *         digest-uri="hotrod/infinispan",response=...,qop=auth
 * server  rspauth=...
 * </pre>
 */
final class DigestExchange implements SaslExchange {
  private static final int LENGTH_MAX = 4096;

  private final Mechanism mechanism;
  private final LoginDesk desk;
  private final String digestUri;
  private String nonce = "";
  private String name = "";
  private @Nullable Identity identity;

  DigestExchange(Mechanism mechanism, LoginDesk desk, String digestUri) {
    this.mechanism = mechanism;
    this.desk = desk;
    this.digestUri = digestUri;
  }

  @Override
  public byte[] step(byte[] response) {
    String reply;
    if (identity != null) {
      return new byte[0]; // to what the client answers, if at all, there is nothing to say
    } else if (nonce.isEmpty()) {
      nonce = desk.newNonce();
      // The algorithm is the constant that clients know; the mechanism's name shows the real one.
      reply =
          "realm=\"%s\",nonce=\"%s\",qop=\"auth\",charset=utf-8,algorithm=md5-sess"
              .formatted(desk.realm(), nonce);
    } else {
      reply = "rspauth=" + check(response);
    }
    return reply.getBytes(StandardCharsets.UTF_8);
  }

  private AccessRefused malformed(String why) {
    return AccessRefused.malformed("%s: %s".formatted(mechanism.title(), why));
  }

  private String check(byte[] response) {
    Map<String, String> fields = fields(response);
    name = fields.getOrDefault("username", "");
    String authorization = fields.getOrDefault("authzid", name);
    expect(fields, "nonce", nonce);
    expect(fields, "nc", "00000001");
    expect(fields, "digest-uri", digestUri);
    if (!fields.getOrDefault("qop", "auth").equals("auth")) {
      throw malformed("qop is not auth");
    }
    if (!fields.getOrDefault("realm", desk.realm()).equals(desk.realm())) {
      throw malformed("realm is not " + desk.realm());
    }
    if (!authorization.equals(name)) {
      throw malformed("to act as another user is not supported");
    }
    Candidate candidate = desk.candidate(name);
    Hash hash = mechanism.hash();
    byte[] secret = candidate.digest(hash);
    byte[] first = firstHash(hash, secret, fields);
    byte[] expected = proof(hash, first, fields, "AUTHENTICATE:" + digestUri);
    byte[] given = fields.getOrDefault("response", "").getBytes(StandardCharsets.US_ASCII);
    identity =
        desk.attempt(
            name,
            () -> {
              if (!MessageDigest.isEqual(expected, given)) {
                throw desk.wrongCredentials();
              }
              return candidate.identity(mechanism.title());
            });
    return new String(proof(hash, first, fields, ":" + digestUri), StandardCharsets.US_ASCII);
  }

  private Map<String, String> fields(byte[] response) {
    if (response.length > LENGTH_MAX) {
      throw malformed("message too long");
    }
    try {
      return Directives.parse(new String(response, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException wrong) {
      throw malformed(String.valueOf(wrong.getMessage()));
    }
  }

  private void expect(Map<String, String> fields, String field, String expected) {
    if (!expected.equals(fields.get(field))) {
      throw malformed("%s is not %s".formatted(field, expected));
    }
  }

  private static byte[] firstHash(Hash hash, byte[] secret, Map<String, String> fields) {
    MessageDigest digest = hash.newDigest();
    digest.update(secret);
    String rest = ":" + fields.get("nonce") + ":" + fields.getOrDefault("cnonce", "");
    if (fields.containsKey("authzid")) {
      rest += ":" + fields.get("authzid");
    }
    return digest.digest(rest.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] proof(Hash hash, byte[] first, Map<String, String> fields, String request) {
    HexFormat hex = HexFormat.of();
    String text =
        "%s:%s:%s:%s:auth:%s"
            .formatted(
                hex.formatHex(first),
                fields.get("nonce"),
                fields.get("nc"),
                fields.getOrDefault("cnonce", ""),
                hex.formatHex(hash.digest(request.getBytes(StandardCharsets.UTF_8))));
    return hex.formatHex(hash.digest(text.getBytes(StandardCharsets.UTF_8)))
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public @Nullable Identity identity() {
    return identity;
  }

  @Override
  public String claimedName() {
    return name;
  }
}
