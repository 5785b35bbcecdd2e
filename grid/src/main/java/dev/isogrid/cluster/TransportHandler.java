package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import java.util.List;

/** Gets what comes by a transport: one call at a time. May block shortly. */
public interface TransportHandler {
  /**
   * A message that came.
   *
   * @param from who sent it
   */
  record Received(NodeId from, Message message) {}

  /** Messages came, in this order. */
  void onMessages(List<Received> messages);

  /**
   * Something failed that is no fault of a network, and the node can't be trusted any more. Throws
   * it unless overridden.
   *
   * @param unexpected what was thrown
   */
  default void onFailure(Error unexpected) {
    throw unexpected;
  }

  /** The transport sees other nodes than before. */
  void onView(ViewHint view);
}
