package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ServerContext;
import io.netty.channel.ChannelPipeline;

/** The Hot Rod protocol, versions 2.0 to 4.1, for any number of connections. Thread-safe. */
public final class HotRodProtocol {
  private static final String HANDLER_NAME = "hotrod";

  private final AsidePool aside;
  private final TopologySections sections;
  private final CounterListeners counterListeners = new CounterListeners();

  /**
   * Makes the protocol.
   *
   * @param context the server
   */
  public HotRodProtocol(ServerContext context) {
    this.aside = new AsidePool(context, AsidePool.IN_FLIGHT_MAX);
    this.sections = new TopologySections(context.topology(), context.ownEndpoint());
  }

  /**
   * Makes a connection speak Hot Rod from the next byte on. To be called on its event loop.
   *
   * @param pipeline where the protocol's handler is put last
   */
  public void install(ChannelPipeline pipeline) {
    pipeline.addLast(HANDLER_NAME, new HotRodConnection(aside, sections, counterListeners));
  }
}
