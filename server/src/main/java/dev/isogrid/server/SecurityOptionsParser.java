package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.Mechanism;
import dev.isogrid.server.security.TlsSettings;
import dev.isogrid.server.security.TokenSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Declares and reads the options of a server's command line for security. */
final class SecurityOptionsParser {
  private static final String KEYSTORE = "--tls-keystore";
  private static final String PASSWORD = "--tls-password";
  private static final String PASSWORD_FILE = "--tls-password-file";
  private static final String ALIAS = "--tls-alias";
  private static final String CERTIFICATE = "--tls-certificate";
  private static final String KEY = "--tls-key";
  private static final String TRUST = "--tls-trust";
  private static final String TRUST_PASSWORD = "--tls-trust-password";
  private static final String TRUST_PASSWORD_FILE = "--tls-trust-password-file";
  private static final String CLIENT_CERTIFICATES = "--tls-client-certificates";
  private static final String AUTH = "--auth";
  private static final String CONF = "--conf";
  private static final String REALM = "--auth-realm";
  private static final String SERVER_NAME = "--auth-server-name";
  private static final String MECHANISMS = "--auth-mechanisms";
  private static final String ALLOW_CLEAR_TEXT = "--allow-clear-text";
  private static final String PUBLIC_KEY = "--token-public-key";
  private static final String SECRET = "--token-secret";
  private static final String ISSUER = "--token-issuer";
  private static final String AUDIENCE = "--token-audience";
  private static final String USER_CLAIM = "--token-user-claim";
  private static final String ROLES_CLAIM = "--token-roles-claim";
  private static final String FILE_ROLES = "--token-file-roles";
  private static final String PER_ADDRESS = "--connections-per-address";
  private static final String REQUEST_MEMORY = "--request-memory-max";
  private static final String CORS_ORIGIN = "--cors-origin";

  /** Scheme, host and port in the form of browsers: no path, no user, no pattern. */
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?");

  private final GivenOptions given;

  private SecurityOptionsParser(GivenOptions given) {
    this.given = given;
  }

  /** Adds the options. */
  static void declare(OptionList options) {
    options.flag(AUTH, "Clients must log in; see isogrid user.");
    options.text(CONF, "DIR", "Folder of the users; default conf in that of --data, or here.");
    options.text(MECHANISMS, "NAME,...", "Mechanisms of SASL to offer; default all possible.");
    options.flag(ALLOW_CLEAR_TEXT, "Takes passwords and tokens without TLS too.");
    options.text(REALM, "NAME", "Realm of DIGEST; default default.");
    options.text(SERVER_NAME, "NAME", "Name of the server in SASL; default infinispan.");
    options.text(KEYSTORE, "FILE", "Encrypts with the key of this PKCS12 key store.");
    options.text(PASSWORD_FILE, "FILE", "First line is the password of the key store or key.");
    options.text(PASSWORD, "TEXT", "Password itself; all users of the machine can see it.");
    options.text(ALIAS, "NAME", "Which key of the key store; default any.");
    options.text(
        CERTIFICATE, "FILE", "Encrypts with this chain of certificates in PEM; needs --tls-key.");
    options.text(KEY, "FILE", "Key of --tls-certificate, in PEM (PKCS#8).");
    options.text(TRUST, "FILE", "Authorities of trusted clients' certificates: PEM or PKCS12.");
    options.text(TRUST_PASSWORD_FILE, "FILE", "First line is the password of that PKCS12.");
    options.text(TRUST_PASSWORD, "TEXT", "Password itself; all users of the machine can see it.");
    options.text(CLIENT_CERTIFICATES, "WHAT", "none, wanted or needed; with --tls-trust wanted.");
    options.text(PUBLIC_KEY, "FILE", "Takes tokens signed with the key of this one (PEM).");
    options.text(SECRET, "FILE", "Takes tokens signed with the secret in this file.");
    options.text(ISSUER, "TEXT", "Value that iss of tokens must have.");
    options.text(AUDIENCE, "TEXT", "Value that aud of tokens must contain.");
    options.text(USER_CLAIM, "NAME", "Claim that names the user; default sub.");
    options.text(ROLES_CLAIM, "NAME", "Claim that lists roles; default roles.");
    options.flag(FILE_ROLES, "Users of tokens have the roles of the users' file as well.");
    options.text(
        PER_ADDRESS,
        "NUMBER",
        "Connections at once from one address; default %d.".formatted(Connections.PER_ADDRESS_MAX));
    options.text(
        REQUEST_MEMORY,
        "SIZE",
        "Memory of all requests that have not arrived in full; default a quarter of the heap.");
    options.list(
        CORS_ORIGIN,
        "ORIGIN,...",
        "Web pages that may use REST, such as https://console.example:8443.");
  }

  /**
   * Reads the options.
   *
   * @throws InvalidRequestException if an option is wrong, or lacks another one
   */
  static SecurityOptions read(GivenOptions given) {
    return new SecurityOptionsParser(given).read();
  }

  private SecurityOptions read() {
    TlsSettings.Key key = key();
    TlsSettings.Trust trust = trust();
    ClientCertificates wanted = clientCertificates();
    TokenSettings tokens = tokens();
    boolean isAuth = given.has(AUTH);
    requireWith(AUTH, isAuth, MECHANISMS, ALLOW_CLEAR_TEXT, REALM, SERVER_NAME, PUBLIC_KEY, SECRET);
    return new SecurityOptions(
        isAuth,
        text(CONF),
        text(REALM),
        text(SERVER_NAME),
        mechanisms(),
        given.has(ALLOW_CLEAR_TEXT),
        key,
        trust,
        wanted,
        tokens,
        given.has(FILE_ROLES),
        new AccessLimits(
            connectionsPerAddress(), CommandLineParser.size(given, REQUEST_MEMORY), corsOrigins()));
  }

  private @Nullable Integer connectionsPerAddress() {
    String value = text(PER_ADDRESS);
    if (value == null) {
      return null;
    }
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException _) {
      number = 0;
    }
    if (number < 1) {
      throw new InvalidRequestException(
          "%s %s is not a number of connections; give 1 or more".formatted(PER_ADDRESS, value));
    }
    return number;
  }

  private List<String> corsOrigins() {
    List<String> origins = given.all(CORS_ORIGIN);
    for (String origin : origins) {
      if (!ORIGIN.matcher(origin).matches()) {
        throw new InvalidRequestException(
            "%s %s is not an origin; give scheme, host and port, such as https://example.com:8443"
                .formatted(CORS_ORIGIN, origin));
      }
    }
    return origins;
  }

  private @Nullable String text(String name) {
    String value = given.value(name);
    if (value != null && value.isBlank()) {
      throw new InvalidRequestException(name + " has an empty value; give one or leave it out");
    }
    return value;
  }

  /** Refuses options that need another one. */
  private void requireWith(String needed, boolean isThere, String... options) {
    for (String option : options) {
      if (!isThere && given.has(option)) {
        throw new InvalidRequestException(
            "%s means nothing without %s; add that, or leave it out".formatted(option, needed));
      }
    }
  }

  private TlsSettings.@Nullable Key key() {
    String store = text(KEYSTORE);
    String certificate = text(CERTIFICATE);
    String key = text(KEY);
    if ((certificate == null) != (key == null)) {
      throw new InvalidRequestException(
          "%s and %s go together; give both".formatted(CERTIFICATE, KEY));
    }
    if (store != null && certificate != null) {
      throw new InvalidRequestException(
          "%s and %s exclude each other; give one".formatted(KEYSTORE, CERTIFICATE));
    }
    String password = password(PASSWORD, PASSWORD_FILE);
    if (certificate != null && key != null) {
      return new TlsSettings.PemFiles(Path.of(certificate), Path.of(key), password);
    }
    requireWith(
        KEYSTORE, store != null, PASSWORD, PASSWORD_FILE, ALIAS, TRUST, CLIENT_CERTIFICATES);
    if (store == null) {
      return null;
    }
    if (password == null) {
      throw new InvalidRequestException(
          "%s needs its password; give %s or %s".formatted(KEYSTORE, PASSWORD, PASSWORD_FILE));
    }
    return new TlsSettings.KeyStoreFile(Path.of(store), password, text(ALIAS));
  }

  private @Nullable String password(String option, String fileOption) {
    String file = text(fileOption);
    if (file == null) {
      return text(option);
    }
    try {
      List<String> lines = Files.readAllLines(Path.of(file));
      return lines.isEmpty() ? "" : lines.getFirst();
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "%s %s can't be read; name one that can be".formatted(fileOption, file), failure);
    }
  }

  private TlsSettings.@Nullable Trust trust() {
    String file = text(TRUST);
    requireWith(TRUST, file != null, TRUST_PASSWORD, TRUST_PASSWORD_FILE);
    return file == null
        ? null
        : new TlsSettings.Trust(Path.of(file), password(TRUST_PASSWORD, TRUST_PASSWORD_FILE));
  }

  private @Nullable ClientCertificates clientCertificates() {
    String wanted = text(CLIENT_CERTIFICATES);
    if (wanted == null) {
      return null;
    }
    for (ClientCertificates each : ClientCertificates.values()) {
      if (each.name().equals(wanted.toUpperCase(Locale.ROOT))) {
        requireWith(
            TRUST, each == ClientCertificates.NONE || given.has(TRUST), CLIENT_CERTIFICATES);
        return each;
      }
    }
    throw new InvalidRequestException(
        "%s %s is not known; give none, wanted or needed".formatted(CLIENT_CERTIFICATES, wanted));
  }

  private @Nullable List<Mechanism> mechanisms() {
    String list = text(MECHANISMS);
    if (list == null) {
      return null;
    }
    List<Mechanism> mechanisms = new ArrayList<>();
    for (String name : list.split("[ ,]+", -1)) {
      Mechanism mechanism = Mechanism.of(name);
      if (mechanism == null) {
        throw new InvalidRequestException(
            "%s %s is not known; there are %s"
                .formatted(
                    MECHANISMS,
                    name,
                    Arrays.stream(Mechanism.values()).map(Mechanism::title).toList()));
      }
      mechanisms.add(mechanism);
    }
    return mechanisms;
  }

  private @Nullable TokenSettings tokens() {
    String key = text(PUBLIC_KEY);
    String secret = text(SECRET);
    if (key != null && secret != null) {
      throw new InvalidRequestException(
          "%s and %s exclude each other; give one".formatted(PUBLIC_KEY, SECRET));
    }
    boolean any = key != null || secret != null;
    requireWith(PUBLIC_KEY, any, ISSUER, AUDIENCE, USER_CLAIM, ROLES_CLAIM);
    if (!any) {
      return null;
    }
    return new TokenSettings(
        key == null ? null : Path.of(key),
        null,
        secret == null ? null : Path.of(secret),
        text(ISSUER),
        text(AUDIENCE),
        claims());
  }

  private TokenSettings.Claims claims() {
    String user = text(USER_CLAIM);
    String roles = text(ROLES_CLAIM);
    return new TokenSettings.Claims(
        user == null ? TokenSettings.Claims.USER : user,
        roles == null ? TokenSettings.Claims.ROLES : roles,
        given.has(FILE_ROLES));
  }
}
