package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;

/** Carries messages between this node and others. Thread-safe. */
public interface Transport extends Outbox, AutoCloseable {
  /** This life of this node, as others see it. */
  NodeId self();

  /** Hands over what has come and what comes from now on. To be called once. */
  void start(TransportHandler handler);

  /**
   * Sends what may still wait here for a thread that may block. To be called some time after {@link
   * #send}.
   *
   * @param mayBlock whether this thread may
   */
  void flush(boolean mayBlock);

  /** Ends it; nothing is handed over after that. Calling it twice is harmless. */
  @Override
  void close();
}
