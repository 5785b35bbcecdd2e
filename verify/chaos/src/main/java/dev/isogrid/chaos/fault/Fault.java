package dev.isogrid.chaos.fault;

import java.util.List;

/** A failure, or an action of an operator. Nodes are indices, times are milliseconds. */
public sealed interface Fault {
  /** The affected node, or one of several. */
  int node();

  /** The process ends at once, and restarts after a while. */
  record Kill(int node, long downMillis) implements Fault {}

  /** All threads of the process stop for a while. */
  record Pause(int node, long millis) implements Fault {}

  /** The node and the other nodes are cut off from each other. Clients still reach it. */
  record Cut(int node, long millis) implements Fault {}

  /**
   * Messages of the node to other nodes are lost, or messages of other nodes to it.
   *
   * @param peer the only other affected node, or {@link #ALL}
   * @param isOutward whether messages from the node are lost; else messages to it
   */
  record OneWay(int node, int peer, boolean isOutward, long millis) implements Fault {
    /** All other nodes. */
    public static final int ALL = -1;
  }

  /** The node is asked to end, and restarts after a while. */
  record Restart(int node, long downMillis) implements Fault {}

  /**
   * A further node joins for a while, and leaves.
   *
   * @param isOrderly whether it leaves in an orderly way; else it is killed
   */
  record Join(int node, long millis, boolean isOrderly) implements Fault {}

  /** The processes of a majority of the nodes end at once, and all restart after a while. */
  record Majority(List<Integer> nodes, long downMillis) implements Fault {
    /** Copies the list, which is not empty. */
    public Majority {
      nodes = List.copyOf(nodes);
    }

    @Override
    public int node() {
      return nodes.getFirst();
    }
  }

  /** Two faults of different nodes begin at once. */
  record Two(Fault first, Fault second) implements Fault {
    @Override
    public int node() {
      return first.node();
    }
  }
}
