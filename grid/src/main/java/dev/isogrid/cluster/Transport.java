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

  /**
   * Looks whether a node's process is dead, for a short time. If it is, the next view says so. Does
   * not block.
   */
  void probe(NodeId node);

  /** Ends it; nothing is handed over after that. Calling it twice is harmless. */
  @Override
  void close();
}
