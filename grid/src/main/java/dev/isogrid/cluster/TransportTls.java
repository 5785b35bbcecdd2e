package dev.isogrid.cluster;

/**
 * Who a node is for the others of its cluster, and whom it believes to be one of them. Connections
 * are encrypted with TLS 1.3, and each side has to show a certificate.
 *
 * @param own this node's certificate and its private key
 * @param trusted certificates: the other side has to show one of them, or one that they vouch for
 */
public record TransportTls(TlsKeys own, TlsKeys trusted) {}
