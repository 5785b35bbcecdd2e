package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import io.netty.channel.ChannelPipeline;

/**
 * The REST endpoint: HTTP/1.1 and 1.0 under {@code /rest/v2} and {@code /rest/v3}, and the probes
 * under {@code /health}. Thread-safe; one serves all connections of a server.
 */
public final class RestProtocol {
  private final ServerContext context;
  private final AdminRoutes routes;
  private final WebRules rules;

  /**
   * Creates the endpoint of a server.
   *
   * @param shutdown stops the server when a client asks for that
   * @param rules which web pages may use it
   */
  public RestProtocol(ServerContext context, Shutdown shutdown, WebRules rules) {
    this.context = context;
    this.rules = rules;
    this.routes = new AdminRoutes(context, shutdown);
  }

  /**
   * Makes a connection speak HTTP.
   *
   * @param pipeline of the connection; the handlers are added at its end
   */
  public void install(ChannelPipeline pipeline) {
    RequestReader reader = new RequestReader();
    pipeline.addLast(reader, new RestHandler(context, routes, rules, reader));
  }
}
