package dev.isogrid.server;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The protocols of a server.
 *
 * @param hotRod null if it is not served
 * @param rest null if it is not served
 * @param memcached null if it is not served
 * @param memcachedAlone the same for the port for memcached only
 */
record Services(
    @Nullable Service hotRod,
    @Nullable Service rest,
    @Nullable Service memcached,
    @Nullable Service memcachedAlone) {
  /** Services with the same memcached on all ports. */
  Services(@Nullable Service hotRod, @Nullable Service rest, @Nullable Service memcached) {
    this(hotRod, rest, memcached, memcached);
  }

  /**
   * A protocol.
   *
   * @param handlers adds the protocol's handlers to the end of a connection's pipeline
   * @param idleTimeoutSeconds after which a silent connection is closed; 0 for never
   * @param tail comes after the handlers of every protocol; shared
   */
  record Service(Consumer<ChannelPipeline> handlers, int idleTimeoutSeconds, ChannelHandler tail) {
    /** Installs this protocol on a connection. */
    void install(ChannelPipeline pipeline) {
      if (idleTimeoutSeconds > 0) {
        pipeline.addLast(new IdleStateHandler(0, 0, idleTimeoutSeconds));
      }
      handlers.accept(pipeline);
      if (pipeline.context(tail) != null) {
        pipeline.remove(tail);
      }
      pipeline.addLast(tail);
    }
  }

  /** The service of a detected protocol, or null if it is not served. */
  @Nullable Service of(Detection detection) {
    return switch (detection) {
      case HOT_ROD -> hotRod;
      case HTTP, HTTP2 -> rest;
      case MEMCACHED, MEMCACHED_BINARY -> memcached;
      case RESP, TLS, UNKNOWN, UNDECIDED -> null;
    };
  }
}
