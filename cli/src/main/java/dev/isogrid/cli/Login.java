package dev.isogrid.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@code Authorization} of requests: by a bearer's token, or by DIGEST with SHA-256 (RFC
 * 7616), which never sends the password. A digest begins with the challenge of a first refusal, and
 * counts the requests of a nonce. A server that no longer takes the nonce sends another one with
 * its refusal. Thread-safe.
 */
final class Login {
  private static final Pattern DIGEST = Pattern.compile("(?i)^Digest\\s+(.*)$");
  private static final Pattern FIELD =
      Pattern.compile("(\\w+)\\s*=\\s*(?:\"([^\"]*)\"|([^,\\s]+))");
  private static final int CNONCE_SIZE = 16;

  private final @Nullable String user;
  private final Supplier<String> passwords;
  private final Supplier<@Nullable String> tokens;
  private final SecureRandom random = new SecureRandom();

  // Guarded by this.
  private @Nullable String password;
  private @Nullable String token;
  private @Nullable Challenge challenge;
  private int count;

  private record Challenge(String realm, String nonce) {}

  /**
   * Creates a login.
   *
   * @param user who logs in by a password, or null
   * @param passwords gives the password, once, when the server first wants it
   * @param tokens gives the token, or null for none
   */
  Login(@Nullable String user, Supplier<String> passwords, Supplier<@Nullable String> tokens) {
    this.user = user;
    this.passwords = passwords;
    this.tokens = tokens;
  }

  /** The same credentials for another server, which has nonces of its own. */
  Login again() {
    return new Login(user, this::password, this::token);
  }

  private synchronized String password() {
    if (password == null) {
      password = passwords.get();
    }
    return password;
  }

  /** Whether there is anything to log in with. */
  boolean isKnown() {
    return user != null || token() != null;
  }

  private synchronized @Nullable String token() {
    if (token == null) {
      token = tokens.get();
    }
    return token;
  }

  /** The header of a request as far as it is known by now, or null for none. */
  @Nullable String header(String method, String target) {
    String bearer = token();
    if (bearer != null) {
      return "Bearer " + bearer;
    }
    synchronized (this) {
      return challenge == null ? null : digest(challenge, ++count, method, target);
    }
  }

  /**
   * The header with which a refused request is sent again, or null if that is of no use.
   *
   * @param challenges the values of {@code WWW-Authenticate}
   */
  @Nullable String answer(List<String> challenges, String method, String target) {
    if (user == null || token() != null) {
      return null;
    }
    for (String each : challenges) {
      Matcher digest = DIGEST.matcher(each);
      if (digest.matches() && field(digest.group(1), "algorithm").equalsIgnoreCase("SHA-256")) {
        Challenge fresh =
            new Challenge(field(digest.group(1), "realm"), field(digest.group(1), "nonce"));
        password(); // asked for before the nonce is used
        synchronized (this) {
          challenge = fresh;
          count = 1;
          return digest(fresh, 1, method, target);
        }
      }
    }
    return null;
  }

  /** Whether a challenge says that the password was right and the nonce alone too old. */
  static boolean isStale(List<String> challenges) {
    return challenges.stream().anyMatch(each -> field(each, "stale").equalsIgnoreCase("true"));
  }

  private static String field(String text, String name) {
    Matcher field = FIELD.matcher(text);
    while (field.find()) {
      if (field.group(1).equalsIgnoreCase(name)) {
        return field.group(2) == null ? field.group(3) : field.group(2);
      }
    }
    return "";
  }

  private String digest(Challenge from, int number, String method, String target) {
    byte[] bytes = new byte[CNONCE_SIZE];
    random.nextBytes(bytes);
    String cnonce = HexFormat.of().formatHex(bytes);
    String nc = "%08x".formatted(number);
    String secret = hash("%s:%s:%s".formatted(user, from.realm(), password()));
    String request = hash(method + ":" + target);
    String response =
        hash("%s:%s:%s:%s:auth:%s".formatted(secret, from.nonce(), nc, cnonce, request));
    return """
    Digest %s, realm="%s", nonce="%s", uri="%s", algorithm=SHA-256, \
    qop=auth, nc=%s, cnonce="%s", response="%s"\
    """
        .formatted(named(), from.realm(), from.nonce(), target, nc, cnonce, response);
  }

  /** The user's name between quotes; escaped if it is not ASCII, which is all that headers take. */
  private String named() {
    String name = String.valueOf(user);
    if (name.chars().allMatch(c -> c < 0x80)) {
      return "username=\"%s\"".formatted(name.replace("\\", "\\\\").replace("\"", "\\\""));
    }
    String escaped = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    return "username*=UTF-8''" + escaped.replace("*", "%2A");
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
