package dev.isogrid.client;

/**
 * Makes the links to servers, as a client was configured. An artifact with another way to use
 * connections names its factory in {@code META-INF/services}; its classes are in this package.
 */
interface LinkFactory {
  /** Makes one that is not connected yet. */
  ServerLink create(ServerAddress address, Router router, EventLoop loop);
}
