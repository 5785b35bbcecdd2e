package dev.isogrid.chaos.fault;

/** One thing that goes wrong, or an operator does. Nodes are indices, times are milliseconds. */
public sealed interface Fault {
  /** The node that it happens to. */
  int node();

  /** The process ends at once, and is started again after a while. */
  record Kill(int node, long downMillis) implements Fault {}

  /** All threads of the process stand still for a while. */
  record Pause(int node, long millis) implements Fault {}

  /** The node and the other nodes do not hear of each other. Clients still reach it. */
  record Cut(int node, long millis) implements Fault {}

  /**
   * What the node sends does not arrive at other nodes, or what they send does not arrive at it.
   *
   * @param peer the only other node concerned, or {@link #ALL}
   * @param isOutward whether what the node sends is lost; else what is sent to it
   */
  record OneWay(int node, int peer, boolean isOutward, long millis) implements Fault {
    /** All other nodes. */
    public static final int ALL = -1;
  }

  /** The node is asked to end, and is started again after a while. */
  record Restart(int node, long downMillis) implements Fault {}

  /**
   * A further node joins for a while, and leaves.
   *
   * @param isOrderly whether it is asked to leave; else it is killed
   */
  record Join(int node, long millis, boolean isOrderly) implements Fault {}
}
