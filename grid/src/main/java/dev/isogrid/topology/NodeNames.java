package dev.isogrid.topology;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The names of a cluster's nodes for messages, including former nodes. Thread-safe. */
public final class NodeNames {
  /** A cluster rarely sees as many nodes; the ones learnt first are forgotten above it. */
  private static final int REMEMBERED_MAX = 1000;

  private final NodeId self;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Map<NodeId, String> names =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeId, String> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /**
   * Knows one node.
   *
   * @param selfName what people call it, or "" for its id
   */
  public NodeNames(NodeId self, String selfName) {
    this.self = self;
    learn(self, selfName);
  }

  /** This node. */
  public NodeId self() {
    return self;
  }

  /** This node's name. */
  public String ofSelf() {
    return of(self);
  }

  /** Learns the names of all members. */
  public void learn(Topology topology) {
    for (Member member : topology.members()) {
      learn(member.id(), member.profile().name());
    }
  }

  private void learn(NodeId node, String name) {
    if (!name.isEmpty()) {
      lock.lock();
      try {
        names.put(node, name);
      } finally {
        lock.unlock();
      }
    }
  }

  /** The name of a node; its id if that is all that is known. */
  public String of(NodeId node) {
    lock.lock();
    try {
      String name = names.get(node);
      return name == null ? node.toString() : name;
    } finally {
      lock.unlock();
    }
  }
}
