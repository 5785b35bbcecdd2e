package dev.isogrid.client.pooled;

import dev.isogrid.client.ConnectionPoolConfig;
import dev.isogrid.client.spi.LinkPool;
import dev.isogrid.client.spi.LinkPoolProvider;
import dev.isogrid.client.spi.PoolSite;

/** Gives clients whose configuration has a connection pool their pools. Not for users. */
public final class ConnectionPools implements LinkPoolProvider {
  /** For the service loader. */
  public ConnectionPools() {}

  @Override
  public LinkPool create(PoolSite site, ConnectionPoolConfig config) {
    return new ConnectionPool(site, config);
  }
}
