package dev.isogrid.server.memcached;

import dev.isogrid.server.net.ServerContext;
import io.netty.channel.ChannelPipeline;

/**
 * Memcached's text protocol for any number of connections. One instance serves a whole server: its
 * connections share counters and the pending {@code flush_all}. Thread-safe.
 */
public final class MemcachedProtocol {
  private static final String HANDLER_NAME = "memcached";

  private final MemcachedEndpoint endpoint;

  /**
   * Makes the protocol.
   *
   * @param context the server; its memcached cache is looked up when the first command needs it
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
   * @param itemSizeMax the most bytes of an item, counted as memcached does: with some 60 bytes
   *     beside key and value
   */
  public MemcachedProtocol withItemSizeMax(int itemSizeMax) {
    return new MemcachedProtocol(endpoint.withItemSizeMax(itemSizeMax));
  }

  /**
   * Makes a connection speak memcached from the next byte on. To be called on its event loop.
   *
   * @param pipeline where the protocol's handler is put last
   */
  public void install(ChannelPipeline pipeline) {
    pipeline.addLast(HANDLER_NAME, new MemcachedHandler(endpoint));
  }
}
