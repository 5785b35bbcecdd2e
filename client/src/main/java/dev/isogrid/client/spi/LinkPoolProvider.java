package dev.isogrid.client.spi;

import dev.isogrid.client.ConnectionPoolConfig;

/** Makes the pools of a client whose configuration has one. Found by a service loader. */
public interface LinkPoolProvider {
  /** Makes the pool of a server, without connections. */
  LinkPool create(PoolSite site, ConnectionPoolConfig config);
}
