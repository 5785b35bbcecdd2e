package dev.isogrid.engine;

import dev.isogrid.topology.NodeId;

/** Hears what a replica takes for committed, in the order of the segment. */
@FunctionalInterface
public interface CommitListener {
  /** An entry was applied. Must be short and must not call back. */
  void onCommit(NodeId node, int segment, LogEntry entry);
}
