package dev.isogrid.cli;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server and how to log in there. Passwords are not in it: only the files that hold them.
 *
 * @param url the address, such as {@code http://127.0.0.1:11222}
 * @param user who logs in by a password; null for nobody
 * @param passwordFile the file whose first line is the password; {@code -} for the input, null to
 *     ask for it
 * @param tokenFile the file that holds a bearer's token; null for none
 * @param tls what a connection by TLS trusts and shows
 */
record Target(
    URI url,
    @Nullable String user,
    @Nullable String passwordFile,
    @Nullable String tokenFile,
    TlsFiles tls) {
  static final String DEFAULT_URL = "http://127.0.0.1:11222";
  private static final int DEFAULT_PORT = 11222;

  /**
   * Completes an address as users write it: without a scheme it is that of HTTP, without a port
   * 11222.
   *
   * @throws UsageFailure if it is none
   */
  static URI url(String text) {
    String complete = text.contains("://") ? text : "http://" + text;
    URI url;
    try {
      url = URI.create(complete);
    } catch (IllegalArgumentException e) {
      throw malformed(text, e);
    }
    String scheme = String.valueOf(url.getScheme());
    String host = url.getHost();
    boolean isHttp = scheme.equals("http") || scheme.equals("https");
    if (!isHttp || host == null || url.getUserInfo() != null) {
      throw malformed(text, null);
    }
    int port = url.getPort() < 0 ? DEFAULT_PORT : url.getPort();
    return URI.create("%s://%s:%d".formatted(scheme, host, port));
  }

  private static UsageFailure malformed(String text, @Nullable Throwable cause) {
    UsageFailure failure =
        new UsageFailure(
            "not an address of a server: %s; give http://HOST:PORT or https://HOST:PORT, and the"
                    .formatted(text)
                + " user by --user");
    if (cause != null) {
      failure.initCause(cause);
    }
    return failure;
  }

  /** Whether it is by TLS. */
  boolean isTls() {
    return "https".equals(url.getScheme());
  }

  /** The members of a bookmark. */
  Map<String, @Nullable Object> toJson() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("url", url.toString());
    putIfThere(json, "user", user);
    putIfThere(json, "password-file", passwordFile);
    putIfThere(json, "token-file", tokenFile);
    putIfThere(json, "truststore", tls.trust());
    putIfThere(json, "truststore-password-file", tls.trustPasswordFile());
    putIfThere(json, "keystore", tls.key());
    putIfThere(json, "keystore-password-file", tls.keyPasswordFile());
    if (tls.trustsAll()) {
      json.put("trustall", true);
    }
    return json;
  }

  private static void putIfThere(
      Map<String, @Nullable Object> json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  /** Reads what {@link #toJson} wrote. */
  static Target ofJson(Map<?, ?> json) {
    TlsFiles tls =
        new TlsFiles(
            text(json, "truststore"),
            text(json, "truststore-password-file"),
            text(json, "keystore"),
            text(json, "keystore-password-file"),
            Boolean.TRUE.equals(json.get("trustall")));
    return new Target(
        url(JsonText.text(json.get("url"))),
        text(json, "user"),
        text(json, "password-file"),
        text(json, "token-file"),
        tls);
  }

  private static @Nullable String text(Map<?, ?> json, String name) {
    return json.get(name) instanceof String text ? text : null;
  }
}
