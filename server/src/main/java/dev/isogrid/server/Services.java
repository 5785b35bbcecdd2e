package dev.isogrid.server;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The protocols that a server speaks.
 *
 * @param hotRod null if it does not
 * @param rest null if it does not
 * @param memcached null if it does not
 * @param memcachedAlone the same where nothing else is spoken
 */
record Services(
    @Nullable Service hotRod,
    @Nullable Service rest,
    @Nullable Service memcached,
    @Nullable Service memcachedAlone) {
  /** With memcached the same on all ports. */
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
    /** Lets a connection speak this protocol from now on. */
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

  /** The service for what was detected, or null if there is none. */
  @Nullable Service of(Detection detection) {
    return switch (detection) {
      case HOT_ROD -> hotRod;
      case HTTP -> rest;
      case MEMCACHED -> memcached;
      case HTTP2, MEMCACHED_BINARY, RESP, TLS, UNKNOWN, UNDECIDED -> null;
    };
  }
}
