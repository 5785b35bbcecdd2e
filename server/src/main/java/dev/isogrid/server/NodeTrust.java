package dev.isogrid.server;

import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.TlsSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ensures that the certificate of a client does not make it a node of the cluster. */
final class NodeTrust {
  /** The limit of a file; a larger one is the wrong one. */
  private static final long FILE_BYTES_MAX = 16 << 20;

  private NodeTrust() {}

  /**
   * Compares the trusted certificates of clients with those of nodes. Unreadable files are left to
   * their users.
   *
   * @throws InvalidRequestException if a certificate is trusted for both
   */
  static void check(@Nullable TlsSettings endpoint, @Nullable ClusterTls cluster) {
    if (endpoint == null || cluster == null) {
      return;
    }
    TlsSettings.Trust clients = endpoint.trust();
    if (clients == null || endpoint.clientCertificates() == ClientCertificates.NONE) {
      return;
    }
    Path file = cluster.trustStore();
    if (isSame(clients.file(), file)) {
      throw refusal(clients.file(), file, "the same file");
    }
    List<X509Certificate> ofNodes = certificates(file, cluster.trustStorePassword());
    for (X509Certificate client : certificates(clients.file(), clients.password())) {
      for (X509Certificate node : ofNodes) {
        if (vouches(node, client)) {
          throw refusal(clients.file(), file, "certificate=" + client.getSubjectX500Principal());
        }
      }
    }
  }

  private static InvalidRequestException refusal(Path clients, Path nodes, String shared) {
    return new InvalidRequestException(
        "every client with a certificate could be a node of the cluster: clients' truststore=%s,"
                .formatted(clients)
            + " nodes' truststore=%s, shared=%s; give nodes a truststore with an authority of their"
                .formatted(nodes, shared)
            + " own, or --cluster-secret-file in place of it");
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException missing) {
      return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }
  }

  /** Whether a certificate has the same key as another, or signed it. */
  private static boolean vouches(X509Certificate one, X509Certificate other) {
    if (one.getPublicKey().equals(other.getPublicKey())) {
      return true;
    }
    if (!one.getSubjectX500Principal().equals(other.getIssuerX500Principal())) {
      return false;
    }
    try {
      other.verify(one.getPublicKey());
      return true;
    } catch (GeneralSecurityException signedByAnother) {
      return false;
    }
  }

  /** The certificates of a key store, or of a PEM file; none if it can't be read. */
  private static List<X509Certificate> certificates(Path file, @Nullable String password) {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        return List.of();
      }
      if (password == null) {
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))
            .forEach(each -> certificates.add((X509Certificate) each));
      } else {
        KeyStore store = KeyStore.getInstance(file.toFile(), password.toCharArray());
        for (String alias : Collections.list(store.aliases())) {
          if (store.getCertificate(alias) instanceof X509Certificate certificate) {
            certificates.add(certificate);
          }
        }
      }
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unreadable) {
      return List.of(); // refused with its reason when it is used
    }
    return certificates;
  }
}
