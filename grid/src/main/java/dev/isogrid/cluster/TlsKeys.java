package dev.isogrid.cluster;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where certificates, and the private key of one of them, are kept. */
public sealed interface TlsKeys {
  /**
   * A key store of Java, of the kind PKCS12 or JKS.
   *
   * @param password that of the store and of its key; may be empty
   */
  record StoreFile(Path file, String password) implements TlsKeys {
    @Override
    public String toString() {
      return "StoreFile[file=" + file + "]";
    }
  }

  /**
   * Files of PEM.
   *
   * @param certificates one or more; beside a key, the first is that of the key, and those that
   *     vouch for it follow
   * @param privateKey a key of the kind PKCS#8 without a password, or null if none is needed
   */
  record PemFiles(Path certificates, @Nullable Path privateKey) implements TlsKeys {}
}
