package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Tells which dead voters this one need not wait for. Not thread-safe. */
final class Survivor {
  /*
   * Where a majority of the voters died, the others may go on without them if three things are
   * known.
   *
   * The first is that nothing was decided without this voter. A decision counts when each voter
   * accepted it, or can't have a lease any more (see Authority). So a voter that has a lease knows
   * of all that was decided, for it accepted it itself. The voters that are known to be dead at
   * such a moment decide nothing later either. A voter that finds a connection refused only when
   * its lease is over knows nothing of the time between. The moment is that of the refusal, however
   * late a node that is short of processor time looks at it.
   *
   * It need not hear of all of them in time. A voter counts for a decision that this one did not
   * accept only when its last grant to this one is over, and then grants it nothing until this one
   * has accepted. So one that died while its grant to this one lasted never counts. If the other
   * voters are no majority without those, nothing is decided in this epoch that this voter did not
   * accept, whenever it hears of the others' end.
   *
   * The second is that nobody serves by what the dead voters granted: the longest lease is over.
   *
   * The third is that the voters are dead indeed. That a connection is refused is not enough here,
   * since a firewall may do that. A new process in the seat of the voter shows it: it listens where
   * the voter did.
   *
   * The votes of the dead count as given then. All living voters have to promise and to accept, so
   * two survivors can't decide on different topologies, and what any of them accepted is kept.
   */

  private final NodeId self;
  private final ClusterTimes times;
  private final Lease lease;
  private final GoneNodes gone;

  /** Voters that are known to be dead, and decided nothing without this node, and since when. */
  private final Map<NodeId, Long> deadSinceNanos = new HashMap<>();

  /** Voters that were known to be dead while their last grants to this node were not over. */
  private final Set<NodeId> neverCounting = new HashSet<>();

  /** Members whose seat another process has now. */
  private final Set<NodeId> succeeded = new HashSet<>();

  Survivor(NodeId self, ClusterTimes times, Lease lease, GoneNodes gone) {
    this.self = self;
    this.times = times;
    this.lease = lease;
    this.gone = gone;
  }

  /** The nodes whose process is known to be dead. */
  GoneNodes gone() {
    return gone;
  }

  /** Takes note of voters that were found dead. */
  void tick(Topology topology) {
    if (gone.isEmpty()) {
      return;
    }
    for (NodeId voter : topology.voters()) {
      Long refused = gone.refusedNanos(voter);
      if (refused != null && lease.reaches(voter, refused)) {
        neverCounting.add(voter);
      }
    }
    long mayCount =
        topology.voters().stream()
            .filter(voter -> !voter.equals(self) && !neverCounting.contains(voter))
            .count();
    boolean knowsAll = !topology.isMajority((int) mayCount) || !times.holds(Rule.SURVIVOR_LEASED);
    for (NodeId voter : topology.voters()) {
      Long refused = gone.refusedNanos(voter);
      if (refused != null && (knowsAll || lease.reaches(refused))) {
        deadSinceNanos.putIfAbsent(voter, refused);
      }
    }
  }

  /** Whether no member is known to be dead. */
  boolean isQuiet(Topology topology) {
    return gone.isEmpty()
        || topology.members().stream().noneMatch(member -> gone.isKnown(member.id()));
  }

  /** A node is alive that was taken for dead. */
  void alive(NodeId node) {
    deadSinceNanos.remove(node);
    if (neverCounting.remove(node)) {
      deadSinceNanos.clear(); // the others may have decided with it; the next tick looks again
    }
  }

  /** A node wants in, or is in: the processes that had its seat before are dead. */
  void onJoin(Topology topology, Join join) {
    String seat = join.profile().seat();
    for (Member member : topology.members()) {
      if (!seat.isEmpty() && seat.equals(member.profile().seat())) {
        if (member.id().equals(join.node())) {
          return;
        }
        succeeded.add(member.id());
      }
    }
  }

  /**
   * The voters that the others may go on without, though only together they are a majority. Empty
   * if those are enough by themselves, or if this node can't know that they may.
   */
  Set<NodeId> dead(Topology topology, long nowNanos) {
    if (deadSinceNanos.isEmpty() || !topology.voters().contains(self)) {
      return Set.of();
    }
    Set<NodeId> dead = new HashSet<>();
    for (NodeId voter : topology.voters()) {
      Long since = deadSinceNanos.get(voter);
      boolean areLeasesOver = since != null && nowNanos - since >= times.lease();
      if (areLeasesOver && succeeded.contains(voter)) {
        dead.add(voter);
      }
    }
    return topology.isMajority(topology.voters().size() - dead.size()) ? Set.of() : dead;
  }

  /**
   * Returns whether this node knows all that was decided before these nodes died, as far as they
   * are voters: it takes part in decisions, and none can have been decided without it.
   */
  boolean knowsEndOf(Topology topology, Set<NodeId> nodes) {
    boolean takesPart = topology.voters().contains(self) || self.equals(topology.heir());
    return takesPart
        && topology.voters().stream().filter(nodes::contains).allMatch(deadSinceNanos::containsKey);
  }

  /** Another topology is known: its voters may have died at other times. */
  void install(Topology topology) {
    deadSinceNanos.clear();
    neverCounting.clear();
    succeeded.removeIf(node -> topology.member(node) == null);
  }
}
