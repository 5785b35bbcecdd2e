package dev.isogrid.server.security;

import dev.isogrid.server.security.AccessRefused.Reason;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logs in the client of one HTTP connection by the {@code Authorization} header of its requests:
 * BASIC, DIGEST with SHA-256 (RFC 7616), or a bearer's token. Without the header, the user is the
 * one of the connection's certificate, or there is no login. For one thread at a time.
 */
public final class HttpLogin {
  private static final String BASIC = "Basic ";
  private static final String DIGEST = "Digest ";
  private static final String BEARER = "Bearer ";
  private static final Hash HASH = Hash.SHA_256;
  private static final int HEX = 16;

  private final Caller caller;

  /** The credentials of the caller's last login, or null. */
  private @Nullable String last;

  /** Whether the last digest was right except for its nonce. */
  private boolean isStale;

  /** Makes the login of a caller. */
  public HttpLogin(Caller caller) {
    this.caller = caller;
  }

  /**
   * Whether {@link #check} may take some milliseconds for a header, so that an event loop must not
   * run it.
   */
  public boolean takesLong(@Nullable String authorization) {
    return authorization != null
        && !isLast(authorization)
        && (startsWith(authorization, BASIC) || caller.identity() == null);
  }

  private boolean isLast(String authorization) {
    return authorization.equals(last) && caller.identity() != null;
  }

  /**
   * Logs in the caller by the credentials of a request.
   *
   * @param authorization the header, or null
   * @param method of the request
   * @param target the target in the first line of the request
   * @throws AccessRefused if the credentials are wrong
   */
  public void check(@Nullable String authorization, String method, String target) {
    isStale = false;
    if (authorization != null && isLast(authorization) && !startsWith(authorization, DIGEST)) {
      return;
    }
    last = null;
    try {
      prove(authorization, method, target);
    } catch (AccessRefused refusal) {
      caller.logOut();
      throw refusal;
    }
    last = authorization;
  }

  private void prove(@Nullable String authorization, String method, String target) {
    if (authorization == null) {
      Identity known = caller.identity();
      boolean isKnown = known != null && known.mechanism().equals(Mechanism.EXTERNAL.title());
      if (!isKnown && !caller.loginByCertificate()) {
        caller.logOut();
      }
    } else if (startsWith(authorization, BASIC)) {
      checkBasic(authorization.substring(BASIC.length()).strip());
    } else if (startsWith(authorization, BEARER)) {
      caller.loginByToken(authorization.substring(BEARER.length()).strip());
    } else if (startsWith(authorization, DIGEST)) {
      checkDigest(authorization.substring(DIGEST.length()), method, target);
    } else {
      throw AccessRefused.malformed("unknown scheme in Authorization");
    }
  }

  private static boolean startsWith(String text, String scheme) {
    return text.regionMatches(true, 0, scheme, 0, scheme.length());
  }

  private void checkBasic(String base64) {
    String pair;
    try {
      pair = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw AccessRefused.malformed("BASIC: not Base64");
    }
    int colon = pair.indexOf(':');
    if (colon < 0) {
      throw AccessRefused.malformed("BASIC: no password");
    }
    caller.login(pair.substring(0, colon), pair.substring(colon + 1), "BASIC");
  }

  private void checkDigest(String text, String method, String target) {
    Map<String, String> fields;
    try {
      fields = Directives.parse(text);
      number(fields);
    } catch (IllegalArgumentException wrong) {
      throw AccessRefused.malformed("DIGEST: " + wrong.getMessage());
    }
    Security security = caller.security();
    if (!security.takesDigest()
        || !fields.getOrDefault("algorithm", "").equalsIgnoreCase(HASH.title)
        || !fields.getOrDefault("qop", "").equals("auth")
        || !fields.getOrDefault("realm", "").equals(security.realm())
        || !fields.getOrDefault("uri", "").equals(target)) {
      throw AccessRefused.malformed(
          "DIGEST: algorithm is not SHA-256, qop not auth, or realm or uri are others");
    }
    String user = user(fields);
    caller.loginByDigest(user, desk -> proved(desk, user, fields, method));
  }

  /**
   * The name of the user. Clients that send ASCII only have another form for all other names (RFC
   * 7616, section 3.4, and RFC 5987): {@code UTF-8''J%C3%B6rg}, with a language between the quotes.
   */
  private static String user(Map<String, String> fields) {
    String escaped = fields.get("username*");
    if (escaped == null) {
      return utf8(fields.getOrDefault("username", ""));
    }
    int language = escaped.indexOf('\'');
    int name = escaped.indexOf('\'', language + 1);
    if (name < 0 || !escaped.substring(0, Math.max(0, language)).equalsIgnoreCase("UTF-8")) {
      throw AccessRefused.malformed("DIGEST: username* is not UTF-8''NAME");
    }
    try {
      return URLDecoder.decode(
          escaped.substring(name + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw AccessRefused.malformed("DIGEST: malformed escape in username*");
    }
  }

  /** A text of a header, whose characters are bytes, decoded as UTF-8 if it is valid. */
  private static String utf8(String text) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException _) {
      return text;
    }
  }

  /** The number of a request among those with its nonce. */
  private static long number(Map<String, String> fields) {
    return Long.parseLong(fields.getOrDefault("nc", ""), HEX);
  }

  private Identity proved(LoginDesk desk, String user, Map<String, String> fields, String method) {
    Candidate candidate = desk.candidate(user);
    String nonce = fields.getOrDefault("nonce", "");
    HexFormat hex = HexFormat.of();
    String expected =
        hash(
            "%s:%s:%s:%s:auth:%s"
                .formatted(
                    hex.formatHex(candidate.digest(HASH)),
                    nonce,
                    fields.get("nc"),
                    fields.getOrDefault("cnonce", ""),
                    hash(method + ":" + fields.get("uri"))));
    String given = fields.getOrDefault("response", "");
    if (!MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.UTF_8))) {
      throw desk.wrongCredentials();
    }
    if (!caller.security().nonces().use(nonce, number(fields))) {
      isStale = true;
      throw new AccessRefused(Reason.LOGIN_MALFORMED, "DIGEST: nonce used up; use the new one");
    }
    return candidate.identity("DIGEST");
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(HASH.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The schemes of HTTP that this connection may use, in upper case. */
  public List<String> schemes() {
    Security security = caller.security();
    List<String> schemes = new ArrayList<>();
    if (security.takesDigest()) {
      schemes.add("DIGEST");
    }
    if (security.takesBasic(caller.origin())) {
      schemes.add("BASIC");
    }
    if (security.takesTokens(caller.origin())) {
      schemes.add("BEARER");
    }
    return schemes;
  }

  /** The values of {@code WWW-Authenticate} for a refused request. */
  public List<String> challenges() {
    Security security = caller.security();
    String realm = security.realm();
    List<String> challenges = new ArrayList<>();
    if (security.takesDigest()) {
      challenges.add(
          "Digest realm=\"%s\", qop=\"auth\", algorithm=SHA-256, nonce=\"%s\", charset=UTF-8%s"
              .formatted(realm, security.nonces().next(), isStale ? ", stale=true" : ""));
    }
    if (security.takesBasic(caller.origin())) {
      challenges.add("Basic realm=\"%s\", charset=\"UTF-8\"".formatted(realm));
    }
    if (security.takesTokens(caller.origin())) {
      challenges.add("Bearer realm=\"%s\"".formatted(realm));
    }
    return challenges;
  }
}
