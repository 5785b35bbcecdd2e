package dev.isogrid.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The files for TLS.
 *
 * @param trust certificates to trust, as PEM or PKCS12; null for those that Java trusts
 * @param trustPasswordFile the file with the password of a trusted PKCS12 file, or null
 * @param key the client's own certificate with its key, as PKCS12, or null
 * @param keyPasswordFile the file with its password, or null
 * @param trustsAll whether every certificate is trusted, which only tests should do
 */
record TlsFiles(
    @Nullable String trust,
    @Nullable String trustPasswordFile,
    @Nullable String key,
    @Nullable String keyPasswordFile,
    boolean trustsAll) {
  /** No files: the certificates that Java trusts. */
  static final TlsFiles NONE = new TlsFiles(null, null, null, null, false);

  private static final String PEM_START = "-----BEGIN";

  /**
   * Reads the files.
   *
   * @throws CommandFailure if a file can't be read, or does not hold what it should
   */
  SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new CommandFailure(
          "TLS can't be set up: truststore=%s, keystore=%s, reason=%s; give PEM or PKCS12 files and"
                  .formatted(trust, key, e)
              + " the files with their passwords",
          e);
    }
  }

  private KeyManager @Nullable [] keyManagers() throws IOException, GeneralSecurityException {
    if (key == null) {
      return null;
    }
    char[] password = password(keyPasswordFile);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store(Files.readAllBytes(Path.of(key)), password), password);
    return factory.getKeyManagers();
  }

  private TrustManager @Nullable [] trustManagers() throws IOException, GeneralSecurityException {
    if (trustsAll) {
      return new TrustManager[] {new TrustingAll()};
    }
    if (trust == null) {
      return null;
    }
    byte[] file = Files.readAllBytes(Path.of(trust));
    boolean isPem = new String(file, StandardCharsets.ISO_8859_1).contains(PEM_START);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(isPem ? certificates(file) : store(file, password(trustPasswordFile)));
    return factory.getTrustManagers();
  }

  private static KeyStore store(byte[] file, char[] password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(new ByteArrayInputStream(file), password);
    return store;
  }

  private static KeyStore certificates(byte[] pem) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int count = 0;
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem))) {
      store.setCertificateEntry("trusted-" + count++, each);
    }
    return store;
  }

  private static char[] password(@Nullable String file) {
    return file == null ? new char[0] : SecretFile.firstLine(file).toCharArray();
  }

  /** Trusts each certificate. */
  private static final class TrustingAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
