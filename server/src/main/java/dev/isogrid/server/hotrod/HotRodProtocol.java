package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ServerContext;
import io.netty.channel.ChannelPipeline;

/** The Hot Rod protocol, versions 2.0 to 4.1, for any number of connections. Thread-safe. */
public final class HotRodProtocol {
  private static final String HANDLER_NAME = "hotrod";

  private final SharedParts parts;

  /**
   * Makes the protocol, with this process's limits of events.
   *
   * @param context the server
   * @param streamedValueMax the largest value that clients may write in chunks, in bytes; the
   *     context's limit does not apply to it
   */
  public HotRodProtocol(ServerContext context, int streamedValueMax) {
    this(context, streamedValueMax, EventLimits.ofProcess());
  }

  /**
   * Makes the protocol.
   *
   * @param context the server
   * @param streamedValueMax the largest value that clients may write in chunks, in bytes; the
   *     context's limit does not apply to it
   * @param eventLimits the limits of waiting events
   */
  public HotRodProtocol(ServerContext context, int streamedValueMax, EventLimits eventLimits) {
    this(
        context,
        streamedValueMax,
        eventLimits,
        ClientBudgets.ofProcess(
            context.node().offHeapUse().maxBytes(), context.node().env().nanoClock()));
  }

  /** As the public constructors, with other budgets. */
  HotRodProtocol(
      ServerContext context, int streamedValueMax, EventLimits eventLimits, ClientBudgets budgets) {
    this.parts =
        new SharedParts(
            new AsidePool(context, AsidePool.IN_FLIGHT_MAX),
            new TopologySections(context.topology(), context.ownEndpoint()),
            new CounterListeners(),
            streamedValueMax,
            eventLimits,
            budgets,
            new ClientSessions(context.node().env().nanoClock()));
  }

  /**
   * Makes a connection speak Hot Rod from the next byte on. Call this on its event loop.
   *
   * @param pipeline gets the protocol's handler as the last one
   */
  public void install(ChannelPipeline pipeline) {
    pipeline.addLast(HANDLER_NAME, new HotRodConnection(parts));
  }
}
