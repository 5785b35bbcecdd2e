package dev.isogrid.client;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The login of a client.
 *
 * @param mechanism SCRAM-SHA-256, -384 or -512, DIGEST-SHA-256, -384 or -512, DIGEST-MD5, PLAIN,
 *     EXTERNAL or OAUTHBEARER
 * @param username the name; empty for EXTERNAL and OAUTHBEARER
 * @param password called for each login; null if the mechanism needs none
 * @param token called for each login with OAUTHBEARER, so that it may return a fresh one; else null
 */
public record SaslConfig(
    String mechanism,
    String username,
    @Nullable Supplier<String> password,
    @Nullable Supplier<String> token) {
  /** The mechanism that is used unless another is named. */
  public static final String DEFAULT_MECHANISM = "SCRAM-SHA-256";

  /** Checks that the mechanism has all that it needs. */
  public SaslConfig {
    switch (mechanism) {
      case "SCRAM-SHA-256",
          "SCRAM-SHA-384",
          "SCRAM-SHA-512",
          "DIGEST-MD5",
          "DIGEST-SHA-256",
          "DIGEST-SHA-384",
          "DIGEST-SHA-512",
          "PLAIN" ->
          require(password != null && !username.isEmpty(), mechanism, "username and password");
      case "OAUTHBEARER" -> require(token != null, mechanism, "token");
      case "EXTERNAL" -> {}
      default -> throw new IllegalArgumentException("unknown mechanism: mechanism=" + mechanism);
    }
  }

  private static void require(boolean holds, String mechanism, String what) {
    if (!holds) {
      throw new IllegalArgumentException("%s needs %s".formatted(mechanism, what));
    }
  }

  /** By name and password, with {@link #DEFAULT_MECHANISM}. */
  public static SaslConfig password(String username, String password) {
    return password(DEFAULT_MECHANISM, username, password);
  }

  /** By name and password. */
  public static SaslConfig password(String mechanism, String username, String password) {
    Objects.requireNonNull(mechanism, "mechanism");
    Objects.requireNonNull(username, "username");
    Objects.requireNonNull(password, "password");
    return new SaslConfig(mechanism, username, () -> password, null);
  }

  /** By a token, which the supplier returns at each login. */
  public static SaslConfig token(Supplier<String> token) {
    return new SaslConfig("OAUTHBEARER", "", null, Objects.requireNonNull(token, "token"));
  }

  /** By the certificate of {@link TlsConfig#keyStore}. */
  public static SaslConfig external() {
    return new SaslConfig("EXTERNAL", "", null, null);
  }

  /** Leaves the password out. */
  @Override
  public String toString() {
    return "SaslConfig[mechanism=%s, username=%s]".formatted(mechanism, username);
  }
}
