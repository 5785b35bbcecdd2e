package dev.isogrid.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The encryption of connections.
 *
 * @param trustStore the trusted certificates: a PKCS12 or JKS file, or certificates in PEM; null
 *     for those that the JVM trusts
 * @param trustStorePassword of that file; null if it has none
 * @param keyStore the client's own certificate and key in PKCS12 or JKS, or null for none
 * @param keyStorePassword of that file and of the key; null if it has none
 * @param serverName the name that is sent to the server and that its certificate must have; null
 *     for the host connected to
 * @param checkServerName whether the certificate must have the name; otherwise the owner of any
 *     trusted certificate can pose as the server
 */
public record TlsConfig(
    @Nullable Path trustStore,
    @Nullable String trustStorePassword,
    @Nullable Path keyStore,
    @Nullable String keyStorePassword,
    @Nullable String serverName,
    boolean checkServerName) {
  /** Certificates that the JVM trusts, with the names checked. */
  public static final TlsConfig DEFAULT = new TlsConfig(null, null, null, null, null, true);

  /** The same with other trusted certificates. */
  public TlsConfig withTrustStore(Path file, @Nullable String password) {
    return new TlsConfig(file, password, keyStore, keyStorePassword, serverName, checkServerName);
  }

  /** The same with a certificate of the client's own. */
  public TlsConfig withKeyStore(Path file, String password) {
    return new TlsConfig(
        trustStore, trustStorePassword, file, password, serverName, checkServerName);
  }

  /** The same with a server name. */
  public TlsConfig withServerName(String name) {
    return new TlsConfig(
        trustStore, trustStorePassword, keyStore, keyStorePassword, name, checkServerName);
  }

  /** The same with or without the check of the name. */
  public TlsConfig withCheckServerName(boolean check) {
    return new TlsConfig(
        trustStore, trustStorePassword, keyStore, keyStorePassword, serverName, check);
  }

  /** Leaves the passwords out. */
  @Override
  public String toString() {
    return "TlsConfig[trustStore=%s, keyStore=%s, serverName=%s, checkServerName=%s]"
        .formatted(trustStore, keyStore, serverName, checkServerName);
  }
}
