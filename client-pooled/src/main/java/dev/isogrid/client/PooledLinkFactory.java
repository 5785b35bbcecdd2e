package dev.isogrid.client;

import java.util.Objects;

/** Gives clients whose configuration has a connection pool their links. Not for users. */
public final class PooledLinkFactory implements LinkFactory {
  /** For the service loader. */
  public PooledLinkFactory() {}

  @Override
  public ServerLink create(ServerAddress address, Router router, EventLoop loop) {
    ConnectionPoolConfig pool = Objects.requireNonNull(router.config().connectionPool());
    return new PooledLink(address, router, loop, pool);
  }
}
