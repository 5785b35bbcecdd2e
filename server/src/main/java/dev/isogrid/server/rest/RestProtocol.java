package dev.isogrid.server.rest;

import dev.isogrid.server.net.Metrics;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;

/**
 * The REST endpoint: HTTP/2, HTTP/1.1 and 1.0 under {@code /rest/v2} and {@code /rest/v3}, the
 * probes under {@code /health}, and the web console under {@code /console}. Thread-safe; one object
 * serves all connections of a server.
 */
public final class RestProtocol {
  private final RestEndpoint endpoint;

  /**
   * Creates the endpoint of a server.
   *
   * @param shutdown stops the server on a client's request
   * @param rules the rules for web pages
   */
  public RestProtocol(ServerContext context, Shutdown shutdown, WebRules rules) {
    this(context, shutdown, rules, false);
  }

  /**
   * Creates the endpoint of a server.
   *
   * @param infinispanNames whether {@code /metrics} also has the names of Infinispan
   */
  public RestProtocol(
      ServerContext context, Shutdown shutdown, WebRules rules, boolean infinispanNames) {
    this.endpoint =
        new RestEndpoint(
            context,
            new AdminRoutes(context, shutdown, new Metrics(context, infinispanNames)),
            rules,
            new ConsoleFiles(RestProtocol.class.getClassLoader()));
  }

  /**
   * Makes a connection speak HTTP, of the version that the client begins with.
   *
   * @param pipeline of the connection; the handlers are added at its end
   */
  public void install(ChannelPipeline pipeline) {
    pipeline.addLast(
        new HttpVersionChoice(
            this::installHttp1, context -> Http2Connection.install(endpoint, context)));
  }

  private void installHttp1(ChannelHandlerContext after) {
    RequestReader reader = new RequestReader();
    Http1Line line = new Http1Line(endpoint, reader, after.channel());
    after.pipeline().addAfter(after.name(), null, new RestHandler(endpoint, line));
    after.pipeline().addAfter(after.name(), null, reader);
  }
}
