package dev.isogrid.cluster;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.Env;

/** Connects a node to the other nodes of its cluster. */
@FunctionalInterface
public interface TransportOpener {
  /**
   * Connects a node. May block for some seconds.
   *
   * @param codec turns messages into bytes; must be thread-safe
   * @param env gives the clock and runs the tasks; closed after the transport
   * @return the transport, which the caller starts and closes
   * @throws FatalGridException if the configuration can't be used or the address can't be bound
   */
  Transport open(TransportConfig config, MessageCodec codec, Env env);
}
