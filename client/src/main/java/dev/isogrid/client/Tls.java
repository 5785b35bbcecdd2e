package dev.isogrid.client;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the sessions that encrypt connections. Thread-safe. */
final class Tls {
  private final TlsConfig config;
  private final SSLContext context;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if they can't be read
   */
  Tls(TlsConfig config) {
    this.config = config;
    try {
      TrustManagerFactory trusted = null;
      Path trust = config.trustStore();
      if (trust != null) {
        trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trusted(trust, config.trustStorePassword()));
      }
      KeyManagerFactory keys = null;
      Path key = config.keyStore();
      if (key != null) {
        keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(key, config.keyStorePassword()), chars(config.keyStorePassword()));
      }
      context = SSLContext.getInstance("TLS");
      context.init(
          keys == null ? null : keys.getKeyManagers(),
          trusted == null ? null : trusted.getTrustManagers(),
          null);
    } catch (IOException | GeneralSecurityException cause) {
      throw new IllegalArgumentException(
          "TLS can't be set up: %s; %s".formatted(config, cause.getMessage()), cause);
    }
  }

  private static KeyStore trusted(Path file, @Nullable String password)
      throws IOException, GeneralSecurityException {
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(".pem") && !name.endsWith(".crt")) {
      return store(file, password);
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("certificate-" + store.size(), each);
      }
    }
    if (store.size() == 0) {
      throw new IOException("no certificate: file=" + file);
    }
    return store;
  }

  private static KeyStore store(Path file, @Nullable String password)
      throws IOException, GeneralSecurityException {
    File read = file.toFile();
    return KeyStore.getInstance(read, chars(password));
  }

  private static char @Nullable [] chars(@Nullable String password) {
    return password == null ? null : password.toCharArray();
  }

  /** A session for a connection to a server. */
  TlsSession session(ServerAddress address) {
    String told = config.serverName();
    String name = told == null ? address.host() : told;
    SSLEngine engine = context.createSSLEngine(name, address.port());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    if (config.checkServerName()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    if (!AddressLookup.isLiteral(name)) {
      parameters.setServerNames(List.of(new SNIHostName(name)));
    }
    engine.setSSLParameters(parameters);
    return new TlsSession(engine);
  }
}
