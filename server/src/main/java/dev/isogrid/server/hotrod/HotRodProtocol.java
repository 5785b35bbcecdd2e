package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ServerContext;
import io.netty.channel.ChannelPipeline;

/** The Hot Rod protocol, versions 2.0 to 4.1, for any number of connections. Thread-safe. */
public final class HotRodProtocol {
  private static final String HANDLER_NAME = "hotrod";

  private final SharedParts parts;

  /**
   * Makes the protocol, with the limits of events that this process has.
   *
   * @param context the server
   * @param streamedValueMax the largest value that clients may write in chunks, in bytes; the
   *     context's limit is for requests and not for it
   */
  public HotRodProtocol(ServerContext context, int streamedValueMax) {
    this(context, streamedValueMax, EventLimits.ofProcess());
  }

  /**
   * Makes the protocol.
   *
   * @param context the server
   * @param streamedValueMax the largest value that clients may write in chunks, in bytes; the
   *     context's limit is for requests and not for it
   * @param eventLimits how far clients may be behind with events
   */
  public HotRodProtocol(ServerContext context, int streamedValueMax, EventLimits eventLimits) {
    this(
        context,
        streamedValueMax,
        eventLimits,
        ClientBudgets.ofProcess(
            context.node().offHeapUse().maxBytes(), context.node().env().nanoClock()));
  }

  /** As the public ones, with other budgets. */
  HotRodProtocol(
      ServerContext context, int streamedValueMax, EventLimits eventLimits, ClientBudgets budgets) {
    this.parts =
        new SharedParts(
            new AsidePool(context, AsidePool.IN_FLIGHT_MAX),
            new TopologySections(context.topology(), context.ownEndpoint()),
            new CounterListeners(),
            streamedValueMax,
            eventLimits,
            budgets);
  }

  /**
   * Makes a connection speak Hot Rod from the next byte on. To be called on its event loop.
   *
   * @param pipeline where the protocol's handler is put last
   */
  public void install(ChannelPipeline pipeline) {
    pipeline.addLast(HANDLER_NAME, new HotRodConnection(parts));
  }
}
