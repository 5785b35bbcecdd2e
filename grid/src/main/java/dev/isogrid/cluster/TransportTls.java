package dev.isogrid.cluster;

/**
 * Proves to the other nodes of a cluster that this is one of them, and tells them from strangers.
 * Connections are encrypted with TLS 1.3, and each side has to show a certificate.
 */
public sealed interface TransportTls {
  /**
   * Certificates that the operator made.
   *
   * @param own this node's certificate and its private key
   * @param trusted certificates: the other side has to show one of them, or one that they vouch for
   */
  record Keys(TlsKeys own, TlsKeys trusted) implements TransportTls {}

  /**
   * A secret that all nodes of the cluster have. Key and certificate are derived from it, so all
   * nodes have the same ones.
   *
   * @param text long enough that nobody guesses it
   */
  record Secret(String text) implements TransportTls {
    /** Without the secret. */
    @Override
    public String toString() {
      return "Secret[]";
    }
  }
}
