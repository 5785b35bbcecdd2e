package dev.isogrid.engine;

import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides when a node goes on without the majority of the cluster, and with whom. Told of leases,
 * of other nodes and of the time; has no clock. Not thread-safe.
 */
final class SideWatch {
  /*
   * What counts is the time without a lease during which this was asked again and again: a process
   * that stood still for a minute has no lease either, but will have one soon. A node that hears of
   * others with a lease is about to be let in again, and waits longer.
   */

  /** How a node takes part in the cluster. */
  enum Mode {
    /** As a member with a lease: nothing is kept apart. */
    JOINED,
    /** Without a lease, for so short that nothing follows from it: operations wait. */
    WAITING,
    /** Without the majority: writes are kept apart. */
    APART,
    /** With a lease again: what was kept apart is handed over. */
    RETURNING
  }

  /** A lease that is missing for less is nothing that operations have to wait for. */
  static final long BLINK_NANOS = 100_000_000;

  /** What one step counts for at most. */
  static final long STEP_NANOS_MAX = 200_000_000;

  /** How long a node waits to be let in while it hears of others that have a lease. */
  static final long JOIN_NANOS = 10_000_000_000L;

  /** How long a node that said something counts as within reach. */
  static final long HEARD_NANOS = 1_500_000_000;

  private record Heard(boolean isLeased, long atNanos) {}

  private final NodeId self;
  private final long limitNanos;
  private final Map<NodeId, Heard> heard = new HashMap<>();
  private Mode mode = Mode.JOINED;
  private boolean wasLeased;
  private long doubtNanos;
  private long steppedNanos;

  /**
   * Begins as a node that had no lease yet.
   *
   * @param limitNanos how long a topology without a member may take to be decided
   */
  SideWatch(NodeId self, long limitNanos) {
    this.self = self;
    this.limitNanos = limitNanos;
  }

  /** What the last step came to. */
  Mode mode() {
    return mode;
  }

  /**
   * Time went by.
   *
   * @param isLeased whether this node has a lease
   * @param isOpen whether there is something to be handed over, by this node or for it
   */
  Mode step(long nowNanos, boolean isLeased, boolean isOpen) {
    long step = Math.clamp(nowNanos - steppedNanos, 0, STEP_NANOS_MAX);
    steppedNanos = nowNanos;
    if (isLeased) {
      wasLeased = true;
      doubtNanos = 0;
      mode = isOpen ? Mode.RETURNING : Mode.JOINED;
    } else if (wasLeased) {
      doubtNanos += step;
      mode = doubtful(nowNanos);
    }
    return mode;
  }

  private Mode doubtful(long nowNanos) {
    if (mode == Mode.APART || doubtNanos >= (hearsLeased(nowNanos) ? JOIN_NANOS : limitNanos)) {
      return Mode.APART;
    }
    return doubtNanos >= BLINK_NANOS ? Mode.WAITING : mode;
  }

  private boolean hearsLeased(long nowNanos) {
    return heard.values().stream().anyMatch(each -> each.isLeased && isFresh(each, nowNanos));
  }

  private static boolean isFresh(Heard each, long nowNanos) {
    return nowNanos - each.atNanos < HEARD_NANOS;
  }

  /** A node said whether it has a lease. */
  void heard(NodeId node, boolean isLeased, long nowNanos) {
    heard.values().removeIf(each -> !isFresh(each, nowNanos));
    heard.put(node, new Heard(isLeased, nowNanos));
  }

  /**
   * The nodes of this side that are to keep the writes of a segment, first the one that decides on
   * them: those that have a copy before the others, then older ones before younger ones.
   *
   * @param copies the nodes that have a copy, in any order that all nodes see the same
   * @param members all members, the oldest first
   */
  List<NodeId> keepers(List<NodeId> copies, List<NodeId> members, long nowNanos) {
    List<NodeId> keepers = new ArrayList<>();
    for (NodeId node : copies) {
      if (isHere(node, nowNanos)) {
        keepers.add(node);
      }
    }
    for (NodeId node : members) {
      if (isHere(node, nowNanos) && !keepers.contains(node)) {
        keepers.add(node);
      }
    }
    if (!keepers.contains(self)) {
      keepers.add(self); // the topology is one without this node
    }
    return keepers;
  }

  /** Whether a node is of this one's side. */
  boolean isHere(NodeId node, long nowNanos) {
    Heard last = heard.get(node);
    return node.equals(self) || (last != null && !last.isLeased && isFresh(last, nowNanos));
  }
}
