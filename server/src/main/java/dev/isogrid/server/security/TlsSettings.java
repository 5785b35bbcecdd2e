package dev.isogrid.server.security;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of encryption.
 *
 * @param key the server's key and certificate
 * @param trust the authorities of trusted client certificates, or null to trust none
 * @param clientCertificates the demand for client certificates; none without {@code trust}
 */
public record TlsSettings(Key key, @Nullable Trust trust, ClientCertificates clientCertificates) {
  /** The files with the server's key. */
  public sealed interface Key {
    /** The files of the key. */
    List<Path> files();
  }

  /**
   * A key store, of PKCS12 or another type that the JDK recognizes.
   *
   * @param alias the entry to use, or null for any
   */
  public record KeyStoreFile(Path file, String password, @Nullable String alias) implements Key {
    @Override
    public List<Path> files() {
      return List.of(file);
    }

    @Override
    public String toString() {
      return "key store=%s".formatted(file) + (alias == null ? "" : ", alias=" + alias);
    }
  }

  /**
   * A chain of certificates, the server's first, and its key, both as PEM.
   *
   * @param key in PKCS#8 form
   * @param password of the key, or null if it is not encrypted
   */
  public record PemFiles(Path certificates, Path key, @Nullable String password) implements Key {
    @Override
    public List<Path> files() {
      return List.of(certificates, key);
    }

    @Override
    public String toString() {
      return "certificates=%s, key=%s".formatted(certificates, key);
    }
  }

  /**
   * Certificates of authorities: PEM, or a key store.
   *
   * @param password of a key store; null for PEM
   */
  public record Trust(Path file, @Nullable String password) {
    @Override
    public String toString() {
      return "trusted certificates=%s".formatted(file);
    }
  }

  /** All files whose changes matter. */
  List<Path> files() {
    List<Path> files = new ArrayList<>(key.files());
    if (trust != null) {
      files.add(trust.file());
    }
    return files;
  }
}
