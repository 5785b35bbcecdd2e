package dev.isogrid.server.net;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Drains the input of a refused client slowly: fast enough that a client can send the rest of some
 * megabytes within seconds, and too slowly to delay other clients of the event loop.
 */
public final class PacedReading {
  /** The pause between two reads of at most 64 KiB. */
  private static final int PAUSE_MILLIS = 4;

  private PacedReading() {}

  /**
   * Reads slowly until the channel is closed. The handlers must drop the input.
   *
   * @param channel on whose event loop this is called
   */
  public static void begin(Channel channel) {
    channel.config().setAutoRead(false);
    Future<?> reading =
        channel
            .eventLoop()
            .scheduleAtFixedRate(channel::read, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(_ -> reading.cancel(false));
  }
}
