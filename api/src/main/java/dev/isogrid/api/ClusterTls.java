package dev.isogrid.api;

import java.nio.file.Path;

/**
 * The security of connections between nodes: TLS 1.3, where both sides show a certificate.
 *
 * @param keyStore the node's certificate and its private key, in a key store of Java (PKCS12, JKS)
 * @param keyStorePassword that of the store and of its key; may be empty
 * @param trustStore the trusted certificates; the other side must show one of them, or one that
 *     they have signed
 * @param trustStorePassword that of this store; may be empty
 */
public record ClusterTls(
    Path keyStore, String keyStorePassword, Path trustStore, String trustStorePassword) {
  /** Without the passwords. */
  @Override
  public String toString() {
    return "ClusterTls[keyStore=" + keyStore + ", trustStore=" + trustStore + "]";
  }
}
