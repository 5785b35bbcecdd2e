package dev.isogrid.server.memcached;

import dev.isogrid.server.net.ServerContext;
import io.netty.channel.ChannelPipeline;

/**
 * Memcached's protocols for any number of connections: the first byte of each selects the text or
 * the binary protocol. One instance serves a whole server: its connections share counters, the
 * pending {@code flush_all} and watchers. Thread-safe.
 */
public final class MemcachedProtocol {
  private static final String HANDLER_NAME = "memcached";

  private final MemcachedEndpoint endpoint;

  /**
   * Makes the protocol.
   *
   * @param context the server; the first command that needs its memcached cache looks it up
   */
  public MemcachedProtocol(ServerContext context) {
    this.endpoint = new MemcachedEndpoint(context);
  }

  private MemcachedProtocol(MemcachedEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /**
   * The same for connections whose items have another limit.
   *
   * @param itemSizeMax the most bytes of an item, by memcached's count: with some 60 bytes beside
   *     key and value
   */
  public MemcachedProtocol withItemSizeMax(int itemSizeMax) {
    return new MemcachedProtocol(endpoint.withItemSizeMax(itemSizeMax));
  }

  /**
   * Makes a connection speak memcached from the next byte on. Call this on its event loop.
   *
   * @param pipeline gets the protocol's handler as the last one
   */
  public void install(ChannelPipeline pipeline) {
    pipeline.addLast(HANDLER_NAME, new MemcachedHandler(endpoint));
  }
}
