package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;

/**
 * The REST endpoint: HTTP/1.1 and 1.0 under {@code /rest/v2} and {@code /rest/v3}, and the probes
 * under {@code /health}. Thread-safe; one serves all connections of a server.
 */
public final class RestProtocol {
  /** The longest request line: room for a long key, too little to be worth an attack. */
  static final int REQUEST_LINE_SIZE_MAX = 4096;

  /** All header fields of a request together: what browsers with many cookies send fits. */
  static final int HEADERS_SIZE_MAX = 8192;

  /** The largest part of a body that the decoder hands over at once: the size of a large read. */
  private static final int BODY_PART_SIZE_MAX = 1 << 16;

  private final ServerContext context;
  private final AdminRoutes routes;

  /**
   * Creates the endpoint of a server.
   *
   * @param shutdown stops the server when a client asks for that
   */
  public RestProtocol(ServerContext context, Shutdown shutdown) {
    this.context = context;
    this.routes = new AdminRoutes(context, shutdown);
  }

  /**
   * Makes a connection speak HTTP.
   *
   * @param pipeline of the connection; the handlers are added at its end
   */
  public void install(ChannelPipeline pipeline) {
    HttpDecoderConfig config =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(REQUEST_LINE_SIZE_MAX)
            .setMaxHeaderSize(HEADERS_SIZE_MAX)
            .setMaxChunkSize(BODY_PART_SIZE_MAX);
    pipeline.addLast(new HttpRequestDecoder(config), new RestHandler(context, routes));
  }
}
