package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;

/** Carries messages between this node and others. Thread-safe. */
public interface Transport extends Outbox, AutoCloseable {
  /** This life of this node, as others see it. */
  NodeId self();

  /** Hands over what has come and what comes from now on. To be called once. */
  void start(TransportHandler handler);

  /** Ends it; nothing is handed over after that. Calling it twice is harmless. */
  @Override
  void close();
}
