package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Accepted;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.MembershipMessage.Heartbeat;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.Outvoted;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.cluster.MembershipMessage.Promise;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Wait;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node's vote: on who may serve now, and on the next topology. Every node has one and uses it
 * while it is a voter of the topology that it knows. Not thread-safe.
 */
final class Voter {
  /*
   * Acceptor of one decree of Paxos [1] for each epoch: the voters of epoch e decide on e + 1. The
   * promises and what was accepted are forgotten when the decision is known. A node that restarts
   * is another node. Where caches are on disk, so is what was accepted, see Reviving.
   *
   * Leases and decisions meet here. Whoever a proposal demotes gets no more grants from this voter
   * once it has promised or accepted, and it accepts only when its last grant to them is over. A
   * majority decides and a majority grants, so they share a voter: when a demotion is decided, the
   * demoted node's lease is over by its own clock.
   *
   * A voter that has a lease also knows of every decision: it accepted it, or the others waited
   * until its lease was over. The proposer names the voters that don't answer it. If they are
   * silent for some time, they get no grants from this voter until it hears that they accepted a
   * ballot as great as any that it accepted itself, or until the next topology. Any greater ballot
   * is about what was decided in one before, so they know of it then. Survivor needs this.
   *
   * A member that is removed is demoted too, even if it owned nothing: it may keep entries of its
   * own that others tell it to drop, and reads them under its lease alone. One that leaves gives
   * its lease up when it owns nothing more, for as long as the epoch lasts, and says so, so that
   * its removal waits for nothing.
   *
   * A change of the voters breaks that chain, for the new ones don't know what the old ones
   * granted. So a voter that accepts one grants nothing more at all, and each new voter assumes
   * that everybody got a lease at the moment when it learned of the change, which is later.
   *
   * Two members have one voter, and the other one is its heir. If the voter's process is known to
   * be dead, the heir takes over, which is safe if it has what the voter may have decided. So the
   * voter has each decision accepted by the heir first, or else does as if the decision demoted the
   * heir: it grants it nothing more, and waits until its last grant to it is over. Hence an heir
   * that has a lease knows that nothing was decided but perhaps what it accepted itself. It then
   * decides on that, or if there is none, on what it plans, without the dead voter. An heir without
   * a lease can't know, and does nothing. The heir need not promise: whatever was decided, the
   * voter accepted, and it is the only one who proposes. An heir does not accept its own removal,
   * or there would be nobody left to take over.
   *
   * Nodes that are cut off together are missed one after the other. If the first of them were taken
   * from a segment of theirs, the second would be its last replica, without ever having known: and
   * should it be the first that comes back, the segment would wait for the second, perhaps for
   * ever. So a replica is kept while all others of its segment are silent. Those are heard of soon,
   * or missed as well.
   *
   * [1] L. Lamport, Paxos Made Simple, 2001,
   * https://lamport.azurewebsites.net/pubs/paxos-simple.pdf
   */
  /** Whom another voter heard nothing of, and when it said so. */
  private record Report(Set<NodeId> silent, long nanos) {}

  /** For so many times as long as a node may be silent, other messages count as heartbeats. */
  private static final int ARRIVALS_COUNT = 4;

  /** A member whose heartbeats come late may be silent for at most so many times as long. */
  private static final int PATIENCE_MAX = 3;

  /** A lateness counts this often: the next one may be worse. */
  private static final int LATENESS_COUNTS = 2;

  /** A member that is not heard of in this part of the time to suspect it is looked for. */
  private static final int MISSED_EARLIER = 4;

  private final NodeId self;
  private final ClusterTimes times;
  private final Outbox outbox;
  private final GoneNodes gone;
  private final Map<NodeId, Long> grantedUntilNanos = new HashMap<>();
  private final Map<NodeId, Long> heardNanos = new HashMap<>();
  private final Map<NodeId, Long> arrivedNanos = new HashMap<>();
  private final Map<NodeId, Lateness> lateness = new HashMap<>();
  private final Map<NodeId, Report> reports = new HashMap<>();

  /** Members that gave their lease up in this epoch. */
  private final Set<NodeId> unleased = new HashSet<>();

  /** Nodes that are said to be dead and gave no sign of life since. */
  private final Set<NodeId> saidDead = new HashSet<>();

  /** Nodes that this one did not hear of for some time. */
  private final Set<NodeId> missed = new HashSet<>();

  private final Set<NodeId> promisedDemoted = new HashSet<>();
  private final Set<NodeId> acceptedDemoted = new HashSet<>();
  private Ballot promised = Ballot.NONE;
  private long promisedNanos;
  private Ballot acceptedBallot = Ballot.NONE;
  private @Nullable Proposal accepted;
  private boolean grantsNothing;

  /** Voters that may not know what this one accepted; they get no grants until they do. */
  private final Set<NodeId> behind = new HashSet<>();

  Voter(NodeId self, ClusterTimes times, Outbox outbox, GoneNodes gone) {
    this.self = self;
    this.times = times;
    this.outbox = outbox;
    this.gone = gone;
  }

  /**
   * Whether a majority of the voters hears of a node, as far as this one knows, and it is not known
   * to be dead: with fewer it gets no lease. Who it has no news from is taken to hear what it
   * hears.
   */
  boolean isAlive(Topology topology, NodeId node, long nowNanos) {
    return isAlive(topology, node, times.suspect(), nowNanos);
  }

  /** The living member at another address that has the name of a node that wants in, or null. */
  @Nullable Member namesake(Topology topology, Join join, long nowNanos) {
    if (topology.member(join.node()) != null) {
      return null;
    }
    for (Member member : topology.members()) {
      if (member.profile().hasNameOf(join.profile()) && isAlive(topology, member.id(), nowNanos)) {
        return member;
      }
    }
    return null;
  }

  private boolean isAlive(Topology topology, NodeId node, long patience, long nowNanos) {
    if (node.equals(self) || gone.counts(topology, node)) {
      return node.equals(self);
    }
    boolean isHeard = hears(topology, node, patience, nowNanos);
    int count = 0;
    for (NodeId voter : topology.voters()) {
      Report report = reports.get(voter);
      boolean hears = isHeard;
      if (report != null && nowNanos - report.nanos() < times.suspect()) {
        hears = !report.silent().contains(node);
      }
      count += hears || voter.equals(node) ? 1 : 0;
    }
    return topology.isMajority(count);
  }

  /**
   * The members that are alive, and those that are to be kept until it is clear which of the others
   * are.
   */
  Set<NodeId> kept(Topology topology, long nowNanos) {
    Set<NodeId> kept = alive(topology, times.suspect(), nowNanos);
    if (kept.size() == topology.members().size()) {
      return kept;
    }
    Set<NodeId> heard = alive(topology, times.suspect() / 2, nowNanos);
    boolean isUnclear = heard.size() < kept.size();
    while (isUnclear) {
      isUnclear = false;
      for (SegmentOwners segment : topology.segments()) {
        isUnclear |= isUnclear(segment, kept, heard) && keep(segment, topology, kept);
      }
    }
    return kept;
  }

  private Set<NodeId> alive(Topology topology, long patience, long nowNanos) {
    Set<NodeId> alive = new HashSet<>();
    for (Member member : topology.members()) {
      if (isAlive(topology, member.id(), patience, nowNanos)) {
        alive.add(member.id());
      }
    }
    return alive;
  }

  /** Whether all that would be left of a segment's replicas are silent. */
  private static boolean isUnclear(SegmentOwners segment, Set<NodeId> kept, Set<NodeId> heard) {
    return segment.isr().stream().anyMatch(kept::contains)
        && segment.isr().stream().noneMatch(heard::contains);
  }

  /** Keeps all replicas that are members. Returns whether that is news. */
  private static boolean keep(SegmentOwners segment, Topology topology, Set<NodeId> kept) {
    boolean isNews = false;
    for (NodeId node : segment.isr()) {
      isNews |= topology.member(node) != null && kept.add(node);
    }
    return isNews;
  }

  /**
   * Whom this voter hears nothing of. It says so early, so that it is known to the others when they
   * hear nothing either.
   */
  Set<NodeId> silent(Topology topology, long nowNanos) {
    Set<NodeId> silent = new HashSet<>();
    if (topology.voters().contains(self)) {
      heardNanos
          .keySet()
          .forEach(node -> {
            boolean isSilent = !isHeard(node, times.suspect() / 2, nowNanos);
            if ((isSilent || saidDead.contains(node)) && !node.equals(self)) {
              silent.add(node);
            }
          });
    }
    return silent;
  }

  /**
   * The members that this voter begins to miss, each once in a silence: so early that there is time
   * to find out whether they are dead while this node has a lease.
   */
  Set<NodeId> newlyMissed(Topology topology, long nowNanos) {
    Set<NodeId> news = new HashSet<>();
    if (topology.voters().contains(self)) {
      heardNanos.forEach((node, heard) -> {
        if (nowNanos - heard < times.suspect() / MISSED_EARLIER || node.equals(self)) {
          missed.remove(node);
        } else if (missed.add(node)) {
          news.add(node);
        }
      });
      missed.retainAll(heardNanos.keySet());
    }
    return news;
  }

  /** Whether nobody is missed, and no ballot is under way that this voter takes part in. */
  boolean isQuiet() {
    return missed.isEmpty() && saidDead.isEmpty() && promised.equals(Ballot.NONE);
  }

  private boolean hears(Topology topology, NodeId node, long patience, long nowNanos) {
    boolean isHeard = isHeard(node, patience, nowNanos);
    boolean isDead = saidDead.contains(node) || gone.counts(topology, node);
    return node.equals(self) || (isHeard && !isDead);
  }

  /**
   * Whether a heartbeat was not long ago, or anything else came since. On a busy machine heartbeats
   * wait behind other work, and a node whose messages come is not dead. But it may be unable to
   * take part, so that does not count for ever.
   */
  private boolean isHeard(NodeId node, long usualPatience, long nowNanos) {
    Long heard = heardNanos.get(node);
    Long arrived = arrivedNanos.get(node);
    long patience = patience(node, usualPatience, nowNanos);
    if (heard == null || nowNanos - heard < patience) {
      return heard != null;
    }
    return arrived != null
        && nowNanos - arrived < patience
        && nowNanos - heard < ARRIVALS_COUNT * times.suspect();
  }

  /** How long a node may be silent: longer than usual if its heartbeats come late. */
  private long patience(NodeId node, long usual, long nowNanos) {
    Lateness late = lateness.get(node);
    if (late == null) {
      return usual;
    }
    long more = LATENESS_COUNTS * late.nanos(nowNanos) * usual / times.suspect();
    return usual + Math.min(more, (PATIENCE_MAX - 1) * usual);
  }

  /** Other voters whose messages come and who hear this node, as they said last. */
  Set<NodeId> busy(long nowNanos) {
    Set<NodeId> busy = new HashSet<>();
    arrivedNanos.forEach((node, arrived) -> {
      Report report = reports.get(node);
      boolean hearsThis =
          report != null
              && nowNanos - report.nanos() < ARRIVALS_COUNT * times.suspect()
              && !report.silent().contains(self);
      if (hearsThis && nowNanos - arrived < times.suspect()) {
        busy.add(node);
      }
    });
    return busy;
  }

  /** Something of a node came, and may wait to be looked at. */
  void onArrival(NodeId node, long nanos) {
    if (heardNanos.containsKey(node)) {
      arrivedNanos.put(node, nanos);
    }
  }

  /** Assumes to have heard of a node. */
  void assumeHeard(NodeId node, long nowNanos) {
    Long before = heardNanos.put(node, nowNanos);
    if (before != null) {
      lateness.computeIfAbsent(node, _ -> new Lateness(times)).add(nowNanos - before, nowNanos);
    }
    saidDead.remove(node);
  }

  /**
   * Takes nodes for silent from now on until they are heard of. Their leases are waited for all the
   * same, unless {@link GonePolicy} says otherwise.
   */
  void assumeSilent(Collection<NodeId> nodes) {
    nodes.stream().filter(heardNanos::containsKey).forEach(saidDead::add);
  }

  /** A node is alive that was taken for dead. */
  void alive(NodeId node) {
    saidDead.remove(node);
  }

  /** This node stood still: that it heard of nobody in that time means nothing. */
  void forgive(long stoodStillNanos, long nowNanos) {
    heardNanos.replaceAll((_, heard) -> Math.min(heard + stoodStillNanos, nowNanos));
  }

  /** The greatest ballot that this voter takes part in. */
  Ballot promised() {
    return promised;
  }

  /** A heartbeat of this epoch came. */
  void onHeartbeat(Topology topology, NodeId from, Heartbeat heartbeat, long nowNanos) {
    assumeHeard(from, nowNanos);
    if (topology.voters().contains(from) && !from.equals(self)) {
      reports.put(from, new Report(heartbeat.silent(), nowNanos));
    }
    boolean isBlocked =
        grantsNothing
            || promisedDemoted.contains(from)
            || acceptedDemoted.contains(from)
            || behind.contains(from)
            || unleased.contains(from);
    if (!topology.voters().contains(self)
        || topology.member(from) == null
        || (isBlocked && times.holds(Rule.GRANT_STOP))) {
      return;
    }
    grantedUntilNanos.put(from, nowNanos + times.lease());
    outbox.send(from, new Grant(topology.epoch(), heartbeat.sentNanos()));
  }

  /** A member gave its lease up, and takes none in this epoch. */
  void onGivenUp(NodeId node) {
    unleased.add(node);
  }

  /** A proposer of this epoch asks to take part. */
  void onPrepare(Topology topology, NodeId from, Prepare prepare, long nowNanos) {
    if (!topology.voters().contains(self)) {
      return;
    }
    Ballot ballot = prepare.ballot();
    if (ballot.compareTo(promised) < 0) {
      outbox.send(from, new Outvoted(topology.epoch(), ballot, promised));
      return;
    }
    promise(ballot, prepare.demoted(), nowNanos);
    outbox.send(from, new Promise(topology.epoch(), ballot, acceptedBallot, accepted));
  }

  /** The ballot of what this voter, or heir, accepted, or NONE. */
  Ballot acceptedBallot() {
    return acceptedBallot;
  }

  /** What this voter, or heir, accepted, or null. */
  @Nullable Proposal accepted() {
    return accepted;
  }

  /** A proposer of this epoch asks to accept. */
  void onAccept(Topology topology, NodeId from, Accept accept, long nowNanos) {
    NodeId heir = topology.heir();
    boolean isHeir = self.equals(heir);
    boolean isOwnEnd = accept.proposal().topology().member(self) == null;
    if (isHeir ? isOwnEnd : !topology.voters().contains(self)) {
      return;
    }
    Ballot ballot = accept.ballot();
    if (ballot.compareTo(promised) < 0) {
      outbox.send(from, new Outvoted(topology.epoch(), ballot, promised));
      return;
    }
    Proposal proposal = accept.proposal();
    Set<NodeId> demoted = proposal.demoted(topology, times);
    if (heir != null && !accept.hasHeir() && times.holds(Rule.HEIR_ACCEPTS)) {
      demoted.add(heir);
    }
    promise(ballot, demoted, nowNanos);
    Set<NodeId> others = new HashSet<>(accept.behind());
    others.remove(self);
    if (from.equals(ballot.node())) {
      others.forEach(node -> outbox.send(node, accept));
    }
    if (nowNanos - promisedNanos < times.suspect() / 2) {
      others.clear(); // they may only be slow, and would lose their leases
    }
    behind.removeAll(accept.accepted());
    behind.addAll(others);
    demoted.addAll(others);
    boolean waits = !isHeir && times.holds(Rule.ACCEPT_WAIT);
    if (waits && isAnyLeased(topology, demoted, nowNanos)) {
      outbox.send(from, new Wait(topology.epoch(), ballot));
      return;
    }
    acceptedBallot = ballot;
    accepted = proposal;
    acceptedDemoted.clear();
    acceptedDemoted.addAll(promisedDemoted);
    grantsNothing = !topology.hasVotersOf(proposal.topology());
    outbox.send(from, new Accepted(topology.epoch(), ballot, self, others));
  }

  private void promise(Ballot ballot, Set<NodeId> demoted, long nowNanos) {
    if (!ballot.equals(promised)) {
      promisedNanos = nowNanos;
    }
    promised = ballot;
    promisedDemoted.clear();
    promisedDemoted.addAll(demoted);
  }

  /** Whether this voter takes part in a ballot that should have come to a decision by now. */
  boolean isLeftUndecided(long nowNanos) {
    return !promised.equals(Ballot.NONE) && nowNanos - promisedNanos >= 3 * times.lease();
  }

  /** Whether any of these nodes may have a lease. Who is dead makes no use of it. */
  private boolean isAnyLeased(Topology topology, Set<NodeId> nodes, long nowNanos) {
    for (NodeId node : nodes) {
      Long until = grantedUntilNanos.get(node);
      boolean isOver = until == null || nowNanos - until >= 0;
      if (!isOver && !unleased.contains(node) && !gone.counts(topology, node)) {
        return true;
      }
    }
    return false;
  }

  /** A topology was decided, and is known from now on. */
  void install(@Nullable Topology before, Topology topology, long nowNanos) {
    promised = Ballot.NONE;
    acceptedBallot = Ballot.NONE;
    accepted = null;
    promisedDemoted.clear();
    acceptedDemoted.clear();
    behind.clear();
    grantsNothing = false;
    unleased.clear();
    boolean isHandover =
        before == null
            || topology.epoch() != before.epoch() + 1
            || !topology.hasVotersOf(before)
            || !before.voters().contains(self);
    if (isHandover && topology.voters().contains(self) && times.holds(Rule.VOTER_HANDOVER)) {
      if (before != null) {
        assumeLeased(before, nowNanos);
      }
      assumeLeased(topology, nowNanos);
    }
    heardNanos.keySet().removeIf(node -> topology.member(node) == null);
    saidDead.retainAll(heardNanos.keySet());
    arrivedNanos.keySet().retainAll(heardNanos.keySet());
    lateness.keySet().retainAll(heardNanos.keySet());
    reports.keySet().removeIf(node -> !topology.voters().contains(node));
    grantedUntilNanos.values().removeIf(until -> nowNanos - until >= 0);
    for (Member member : topology.members()) {
      heardNanos.putIfAbsent(member.id(), nowNanos);
    }
  }

  private void assumeLeased(Topology topology, long nowNanos) {
    for (Member member : topology.members()) {
      grantedUntilNanos.merge(member.id(), nowNanos + times.lease(), Math::max);
    }
  }
}
