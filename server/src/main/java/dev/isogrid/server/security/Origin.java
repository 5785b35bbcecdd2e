package dev.isogrid.server.security;

import org.jspecify.annotations.Nullable;

/**
 * Where a connection comes from.
 *
 * @param address with the port, for logs
 * @param network the address without the port, or what stands for several of one owner: its failed
 *     logins are counted together
 * @param protocol that the client speaks
 * @param isEncrypted whether nobody on the way can read it
 * @param certificateName the common name of the client's trusted certificate, or null
 */
record Origin(
    String address,
    String network,
    String protocol,
    boolean isEncrypted,
    boolean isLoopback,
    @Nullable String certificateName) {
  /** Stands for a request that another node may have sent on. */
  static final Origin CLUSTER = new Origin("cluster", "cluster", "tasks", true, false, null);
}
