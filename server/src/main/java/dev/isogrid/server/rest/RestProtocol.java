package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import io.netty.channel.ChannelPipeline;

/**
 * The REST endpoint: HTTP/1.1 and 1.0 under {@code /rest/v2} and {@code /rest/v3}, the probes under
 * {@code /health}, and the web console under {@code /console}. Thread-safe; one serves all
 * connections of a server.
 */
public final class RestProtocol {
  private final RestEndpoint endpoint;

  /**
   * Creates the endpoint of a server.
   *
   * @param shutdown stops the server when a client asks for that
   * @param rules which web pages may use it
   */
  public RestProtocol(ServerContext context, Shutdown shutdown, WebRules rules) {
    this.endpoint =
        new RestEndpoint(
            context,
            new AdminRoutes(context, shutdown),
            rules,
            new ConsoleFiles(RestProtocol.class.getClassLoader()));
  }

  /**
   * Makes a connection speak HTTP.
   *
   * @param pipeline of the connection; the handlers are added at its end
   */
  public void install(ChannelPipeline pipeline) {
    RequestReader reader = new RequestReader();
    pipeline.addLast(reader, new RestHandler(endpoint, reader));
  }
}
