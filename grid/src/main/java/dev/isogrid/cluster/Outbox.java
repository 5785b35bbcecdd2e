package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;

/** Where a node's messages go. Never blocks, and never calls back before the caller returned. */
@FunctionalInterface
public interface Outbox {
  /** Sends a message, or loses it. */
  void send(NodeId to, Message message);
}
