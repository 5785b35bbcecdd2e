package dev.isogrid.server.security;

import org.jspecify.annotations.Nullable;

/**
 * The origin of a connection.
 *
 * @param address with the port, for logs
 * @param network the address without the port, or the common part of several addresses of one
 *     owner: its failed logins are counted together
 * @param protocol of the client
 * @param isEncrypted whether the connection is protected from readers on the way
 * @param certificateName the common name of the client's trusted certificate, or null
 */
record Origin(
    String address,
    String network,
    String protocol,
    boolean isEncrypted,
    boolean isLoopback,
    @Nullable String certificateName) {
  /** The origin of a request that another node may have forwarded. */
  static final Origin CLUSTER = new Origin("cluster", "cluster", "tasks", true, false, null);
}
