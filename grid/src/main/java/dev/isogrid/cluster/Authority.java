package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Accepted;
import dev.isogrid.cluster.MembershipMessage.AddIsr;
import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.Drain;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.LimitCopies;
import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.cluster.MembershipMessage.Outvoted;
import dev.isogrid.cluster.MembershipMessage.Pause;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.cluster.MembershipMessage.Promise;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.cluster.MembershipMessage.Unreached;
import dev.isogrid.cluster.MembershipMessage.Wait;
import dev.isogrid.topology.Facts;
import dev.isogrid.topology.Link;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Plan;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gets the next topology decided when the current one does not fit the facts any more. Every node
 * has one; the one of the first voter that is alive acts. Not thread-safe.
 */
final class Authority {
  /*
   * Proposer of the decree that Voter describes. Any number of authorities may act at once: the
   * ballots make sure that one topology is decided, and the others learn of it.
   *
   * A voter that takes part in a ballot grants less from then on. If the proposer is gone before
   * there is a decision, the voter's own authority brings one about.
   *
   * Two voters between which there is no way both believe to lead, and each wants to demote the
   * other. A third one that took part in their ballots in turn would grant to both in turn, and so
   * accept neither demotion. So who is outvoted by a voter before it waits for as long as that one
   * needs.
   *
   * A decision counts when every voter accepted it, or has no lease any more. Where all answer
   * that takes no longer than a majority does. Voters that don't answer are named to the others.
   * These pass the proposal on to them, so that a cut between two voters costs nobody its lease. If
   * that goes on, they stop granting to them, and accept anew when their last grants are over.
   *
   * What nodes ask for (to join, to leave, to add a replica) they ask of all voters, again and
   * again until it is in the topology, so nothing need be remembered when another authority takes
   * over.
   */

  /** A voter that does not accept in this part of the usual time is asked by way of the others. */
  private static final int RELAYED_EARLIER = 4;

  private final NodeId self;
  private final ClusterTimes times;
  private final Outbox outbox;
  private final Planner planner;
  private final Voter voter;
  private final GoneNodes gone;
  private final Survivor survivor;
  private final RandomGenerator random;

  private final Requests requests;
  private final FormerLives.Offers offers = new FormerLives.Offers();
  private final OwnCopies copies = new OwnCopies();
  private final Set<NodeId> leaving = new HashSet<>();
  private final Map<Integer, AddIsr> caughtUp = new HashMap<>();

  /** By segment and replica, the segment epoch in which it gave the segment up. */
  private final Map<Integer, Map<NodeId, Integer>> released = new HashMap<>();

  /** By broken link, when this voter last asked the replica to give the primary's segments up. */
  private final Map<Link, Long> askedNanos = new HashMap<>();

  private Ballot ballot = Ballot.NONE;
  private int greatestRound;
  private @Nullable Proposal own;
  private @Nullable Proposal proposed;
  private final Set<NodeId> promises = new HashSet<>();

  /** By voter or heir that accepted, the voters that can't have a lease of it any more. */
  private final Map<NodeId, Set<NodeId>> acceptances = new HashMap<>();

  /** By voter, when it last answered in this ballot. */
  private final Map<NodeId, Long> answeredNanos = new HashMap<>();

  private Ballot adopted = Ballot.NONE;
  private @Nullable Facts plannedFacts;
  private Plan plan = Plan.NOTHING;
  private long nextPlanNanos = Long.MIN_VALUE;

  /** Whether something has to be decided even if nothing is to change. */
  private boolean mustDecide;

  /** Whether the next plan waits for somebody else's ballot. */
  private boolean isBackingOff;

  /** When the voters were last asked to accept. */
  private long sentNanos;

  private long resendNanos;
  private long giveUpNanos;

  Authority(
      NodeId self,
      ClusterTimes times,
      Outbox outbox,
      Planner planner,
      Voter voter,
      Survivor survivor,
      RandomGenerator random) {
    this.self = self;
    this.times = times;
    this.outbox = outbox;
    this.planner = planner;
    this.voter = voter;
    this.gone = survivor.gone();
    this.survivor = survivor;
    this.random = random;
    this.requests = new Requests(times.suspect());
  }

  /** Plans, proposes and sends again what was not answered. */
  void tick(Topology topology, long nowNanos) {
    if (!topology.voters().contains(self)) {
      return;
    }
    if (own != null) {
      if (nowNanos - giveUpNanos >= 0) {
        giveUp(0, nowNanos);
      } else if (nowNanos - resendNanos >= 0) {
        resendNanos = nowNanos + times.resend();
        sendBallot(topology, nowNanos);
      }
      return;
    }
    boolean isTime = nextPlanNanos == Long.MIN_VALUE || nowNanos - nextPlanNanos >= 0;
    boolean rescues = voter.isLeftUndecided(nowNanos);
    boolean survives = !survivor.dead(topology, nowNanos).isEmpty();
    if (isTime && (rescues || survives || leads(topology, nowNanos))) {
      isBackingOff = false;
      nextPlanNanos = nowNanos + times.heartbeat() / 2;
      act(topology, rescues || mustDecide, nowNanos);
    }
  }

  /** Whether there is nothing to be planned but what a later look at the members shows. */
  boolean isQuiet(Topology topology) {
    boolean leads = topology.voters().getFirst().equals(self);
    return own == null
        && !(leads && nextPlanNanos == Long.MIN_VALUE)
        && !mustDecide
        && !isBackingOff
        && caughtUp.isEmpty()
        && released.isEmpty()
        && leaving.isEmpty();
  }

  /** Whether this node is to plan at the next tick. */
  boolean isToPlan(Topology topology) {
    return own == null
        && nextPlanNanos == Long.MIN_VALUE
        && topology.voters().getFirst().equals(self);
  }

  /** Whether no voter before this one is alive. */
  private boolean leads(Topology topology, long nowNanos) {
    for (NodeId node : topology.voters()) {
      if (voter.isAlive(topology, node, nowNanos)) {
        return node.equals(self);
      }
    }
    return false;
  }

  /**
   * Has done what should be done.
   *
   * @param decidesAnyway whether to decide something even if nothing is to change
   */
  private void act(Topology topology, boolean decidesAnyway, long nowNanos) {
    planAnew(topology, nowNanos);
    plan.drain().forEach((segment, nodes) -> nodes.forEach(node -> drain(topology, segment, node)));
    if (plan.next() != null) {
      begin(topology, new Proposal(plan.next(), plan.released()), nowNanos);
    } else if (decidesAnyway) {
      begin(topology, new Proposal(topology.unchanged(), Set.of()), nowNanos);
    }
  }

  private void drain(Topology topology, int segment, NodeId node) {
    int segEpoch = topology.segments().get(segment).segEpoch();
    outbox.send(node, new Drain(topology.epoch(), segment, segEpoch));
  }

  private void planAnew(Topology topology, long nowNanos) {
    Facts facts = facts(topology, nowNanos);
    if (!facts.equals(plannedFacts)) {
      plannedFacts = facts;
      plan = planner.plan(topology, facts);
    }
  }

  /**
   * The decision of an heir whose voter is dead: the topology that it accepted, or that it plans.
   *
   * @return the next topology, or null if there is nothing to change
   */
  @Nullable Topology takeOver(Topology topology, long nowNanos) {
    Proposal accepted = voter.accepted();
    if (accepted != null && times.holds(Rule.ADOPT_ACCEPTED)) {
      return accepted.topology();
    }
    planAnew(topology, nowNanos);
    return plan.next();
  }

  private Facts facts(Topology topology, long nowNanos) {
    requests.expire(topology, nowNanos);
    Map<Integer, NodeId> added = new HashMap<>();
    caughtUp.forEach((segment, asked) -> {
      boolean counts = asked.segEpoch() == topology.segments().get(segment).segEpoch();
      if (counts || !times.holds(Rule.ADD_IN_EPOCH)) {
        added.put(segment, asked.learner());
      }
    });
    Map<Integer, Set<NodeId>> given = new HashMap<>();
    released.forEach((segment, nodes) -> {
      int segEpoch = topology.segments().get(segment).segEpoch();
      nodes.forEach((node, inEpoch) -> {
        if (inEpoch == segEpoch) {
          given.computeIfAbsent(segment, _ -> new HashSet<>()).add(node);
        }
      });
    });
    return new Facts(
        voter.kept(topology, nowNanos),
        requests.joining(topology),
        leaving,
        requests.told(topology),
        added,
        given,
        requests.defining(),
        requests.removing(),
        requests.pausing(),
        requests.copySpeed(),
        requests.restarting(),
        requests.broken(),
        requests.overdue(times.lease() / 2, nowNanos),
        offers.all(),
        copies.all());
  }

  private void begin(Topology topology, Proposal proposal, long nowNanos) {
    greatestRound = Math.max(greatestRound, voter.promised().round()) + 1;
    ballot = new Ballot(greatestRound, self);
    own = proposal;
    proposed = null;
    adopted = Ballot.NONE;
    promises.clear();
    acceptances.clear();
    answeredNanos.clear();
    resendNanos = nowNanos + times.resend();
    giveUpNanos = nowNanos + 2 * times.lease() + random.nextLong(times.lease());
    sendBallot(topology, nowNanos);
  }

  private void giveUp(long pauseNanos, long nowNanos) {
    own = null;
    proposed = null;
    isBackingOff = true;
    nextPlanNanos = nowNanos + pauseNanos + random.nextLong(times.resend()) + 1;
  }

  private void sendBallot(Topology topology, long nowNanos) {
    Proposal mine = own;
    if (mine == null) {
      return;
    }
    if (proposed != null) {
      sendAccept(topology, proposed, nowNanos);
      return;
    }
    Set<NodeId> demoted = mine.demoted(topology, times);
    for (NodeId node : topology.voters()) {
      if (!promises.contains(node)) {
        outbox.send(node, new Prepare(topology.epoch(), ballot, demoted));
      }
    }
  }

  private void sendAccept(Topology topology, Proposal proposal, long nowNanos) {
    NodeId heir = topology.heir();
    boolean hasHeir =
        heir != null && (acceptances.containsKey(heir) || gone.counts(topology, heir));
    Set<NodeId> behind = behind(topology, nowNanos);
    sentNanos = nowNanos;
    Accept accept =
        new Accept(topology.epoch(), ballot, proposal, hasHeir, acceptances.keySet(), behind);
    if (heir != null && !hasHeir) {
      outbox.send(heir, accept);
    }
    for (NodeId node : topology.voters()) {
      Set<NodeId> ended = acceptances.get(node);
      if (ended == null || !ended.containsAll(behind)) {
        outbox.send(node, accept);
      }
    }
  }

  /** The voters that did not accept yet and don't answer. */
  private Set<NodeId> behind(Topology topology, long nowNanos) {
    Set<NodeId> silent = voter.silent(topology, nowNanos);
    Set<NodeId> behind = new HashSet<>();
    for (NodeId node : topology.voters()) {
      Long answered = answeredNanos.get(node);
      boolean answers = answered != null && answered - sentNanos >= 0 && !silent.contains(node);
      if (!acceptances.containsKey(node) && !answers && !node.equals(self)) {
        behind.add(node);
      }
    }
    return behind;
  }

  /**
   * A voter takes part in a ballot. If it is one that was silent and was to be removed, the ballot
   * is given up: whoever votes is there, and what it keeps is perhaps the only copy.
   */
  void onPromise(Topology topology, NodeId from, Promise promise, long nowNanos) {
    boolean counts = own != null && proposed == null && promise.ballot().equals(ballot);
    if (!counts || !topology.voters().contains(from)) {
      return;
    }
    Proposal accepted = promise.accepted();
    boolean isFree = accepted == null && adopted.equals(Ballot.NONE);
    if (isFree && isBack(from)) {
      giveUp(0, nowNanos);
      mustDecide = true; // those who took part grant nothing to whom it was to demote
      return;
    }
    promises.add(from);
    answeredNanos.put(from, nowNanos);
    if (accepted != null
        && promise.acceptedBallot().compareTo(adopted) > 0
        && times.holds(Rule.ADOPT_ACCEPTED)) {
      adopted = promise.acceptedBallot();
      own = accepted;
    }
    if (isQuorum(topology, promises, nowNanos)) {
      proposed = own;
      topology.voters().forEach(node -> answeredNanos.put(node, nowNanos));
      sentNanos = nowNanos;
      resendNanos = nowNanos + times.resend() / RELAYED_EARLIER;
      sendBallot(topology, nowNanos);
    }
  }

  /** Whether voters may decide: a majority of all, or all that are left of them. */
  private boolean isQuorum(Topology topology, Set<NodeId> nodes, long nowNanos) {
    if (topology.isMajority(nodes.size())) {
      return true;
    }
    Set<NodeId> dead = survivor.dead(topology, nowNanos);
    return !dead.isEmpty()
        && topology.voters().stream().allMatch(node -> nodes.contains(node) || dead.contains(node));
  }

  private boolean isBack(NodeId voter) {
    Proposal mine = own;
    return mine != null && mine.topology().member(voter) == null && !leaving.contains(voter);
  }

  /**
   * A voter accepted, or its heir.
   *
   * @return the next topology if that decided on it, else null
   */
  @Nullable Topology onAccepted(Topology topology, Accepted accepted, long nowNanos) {
    NodeId from = accepted.voter();
    Proposal proposal = proposed;
    if (proposal == null || !accepted.ballot().equals(ballot)) {
      return null;
    }
    answeredNanos.put(from, nowNanos);
    if (from.equals(topology.heir())) {
      if (acceptances.put(from, Set.of()) == null) {
        sendAccept(topology, proposal, nowNanos);
      }
      return null;
    }
    if (topology.voters().contains(from)) {
      acceptances.computeIfAbsent(from, _ -> new HashSet<>()).addAll(accepted.behind());
    }
    return isDecided(topology, proposal, nowNanos) ? proposal.topology() : null;
  }

  /**
   * Whether enough voters accepted, this one among them, and each of the others has no lease any
   * more: the last grants to it are over at enough voters.
   */
  private boolean isDecided(Topology topology, Proposal proposal, long nowNanos) {
    Set<NodeId> ended = proposal.demoted(topology, times);
    ended.addAll(acceptances.keySet());
    ended.addAll(survivor.dead(topology, nowNanos));
    Set<NodeId> counting = new HashSet<>();
    for (NodeId node : topology.voters()) {
      Set<NodeId> behind = acceptances.get(node);
      boolean isKnown =
          behind != null
              && topology.voters().stream()
                  .allMatch(other -> ended.contains(other) || behind.contains(other));
      if (isKnown || (behind != null && !times.holds(Rule.VOTERS_KNOW))) {
        counting.add(node);
      }
    }
    return acceptances.containsKey(self) && isQuorum(topology, counting, nowNanos);
  }

  /** A voter will accept, but not now. */
  void onWait(NodeId from, Wait wait, long nowNanos) {
    if (proposed != null && wait.ballot().equals(ballot)) {
      answeredNanos.put(from, nowNanos);
    }
  }

  /** A voter takes part in a greater ballot. */
  void onOutvoted(Topology topology, Outvoted outvoted, long nowNanos) {
    greatestRound = Math.max(greatestRound, outvoted.promised().round());
    if (own != null && outvoted.ballot().equals(ballot)) {
      int other = topology.voters().indexOf(outvoted.promised().node());
      boolean isBefore = other >= 0 && other < topology.voters().indexOf(self);
      giveUp(isBefore ? times.lease() + times.resend() : 0, nowNanos);
    }
  }

  /** A node wants in, or tells what it is now. */
  void onJoin(Join join, long nowNanos) {
    if (!leaving.contains(join.node())) {
      requests.add(join, nowNanos);
    }
  }

  /** A node wants a cache. */
  void onDefine(Topology topology, Define define, long nowNanos) {
    planSoon(requests.add(topology, define, nowNanos));
  }

  /** A node wants to be rid of a cache. */
  void onUndefine(Topology topology, Undefine undefine, long nowNanos) {
    planSoon(requests.add(topology, undefine, nowNanos));
  }

  /** Rebalancing is to pause or to go on. */
  void onPause(Topology topology, Pause pause, long nowNanos) {
    planSoon(requests.add(topology, pause, nowNanos));
  }

  /** Copies are to have another speed. */
  void onLimitCopies(Topology topology, LimitCopies limit, long nowNanos) {
    planSoon(requests.add(topology, limit, nowNanos));
  }

  /** Lets lost segments of a group begin anew. */
  void onRestartLost(Topology topology, RestartLost restart, long nowNanos) {
    planSoon(requests.add(topology, restart, nowNanos));
  }

  /** A node says what it has of segments that nobody serves. */
  void onOffer(Topology topology, NodeId from, Offer offer) {
    boolean isNews = offers.add(topology, from, offer);
    planSoon(copies.add(topology, from, offer) || isNews);
  }

  /** The members that want to go. */
  Set<NodeId> leaving() {
    return Set.copyOf(leaving);
  }

  /** Somebody waits for it, so that is not put off until other changes have come together. */
  private void planSoon(boolean hasNews) {
    if (hasNews && !isBackingOff) {
      nextPlanNanos = Long.MIN_VALUE;
    }
  }

  /** A primary gets no answers from a node. */
  void onUnreached(Topology topology, NodeId from, Unreached unreached, long nowNanos) {
    NodeId primary = unreached.primary();
    if (topology.member(primary) == null || topology.member(unreached.node()) == null) {
      return;
    }
    requests.add(unreached, nowNanos);
    if (from.equals(primary)) {
      tellOtherVoters(topology, primary, unreached);
    }
    Link link = new Link(primary, unreached.node());
    askedNanos.keySet().retainAll(requests.broken());
    Long asked = askedNanos.get(link);
    if (topology.voters().contains(self) && (asked == null || nowNanos - asked >= times.resend())) {
      askedNanos.put(link, nowNanos);
      drain(topology, link);
    }
  }

  /** Asks a replica that its primary does not reach to give that one's segments up. */
  private void drain(Topology topology, Link link) {
    for (int i = 0; i < topology.segments().size(); i++) {
      SegmentOwners owners = topology.segments().get(i);
      boolean isOfLink = link.from().equals(owners.primary()) && owners.isr().contains(link.to());
      if (isOfLink && !hasReleased(topology, i, link.to())) {
        drain(topology, i, link.to());
      }
    }
  }

  private boolean hasReleased(Topology topology, int segment, NodeId node) {
    Integer segEpoch = released.getOrDefault(segment, Map.of()).get(node);
    return segEpoch != null && segEpoch == topology.segments().get(segment).segEpoch();
  }

  /** A node wants to go. */
  void onLeave(Topology topology, NodeId node) {
    requests.forgetJoin(node); // or it would be taken in again when it has just gone
    if (topology.member(node) != null) {
      leaving.add(node);
    }
  }

  /** Whether a member wants to go. */
  boolean isLeaving(NodeId node) {
    return leaving.contains(node);
  }

  /** A primary asks to add a replica. */
  void onAddIsr(Topology topology, NodeId from, AddIsr asked) {
    if (from.equals(topology.segments().get(asked.segment()).primary())) {
      planSoon(!asked.equals(caughtUp.put(asked.segment(), asked)));
    }
  }

  /** A replica gave a segment up. */
  void onReleased(Topology topology, NodeId from, Released given) {
    NodeId node = given.node();
    SegmentOwners owners = topology.segments().get(given.segment());
    if (given.segEpoch() != owners.segEpoch() || !owners.isr().contains(node)) {
      return;
    }
    boolean isNews = !hasReleased(topology, given.segment(), node);
    released.computeIfAbsent(given.segment(), _ -> new HashMap<>()).put(node, given.segEpoch());
    NodeId primary = owners.primary();
    boolean isBroken = primary != null && requests.broken().contains(new Link(primary, node));
    if (from.equals(node) && isBroken && isNews) {
      tellOtherVoters(topology, node, given);
    }
  }

  /** Somebody may not be heard by all voters, or not hear them. */
  private void tellOtherVoters(Topology topology, NodeId about, MembershipMessage message) {
    if (topology.voters().contains(self)) {
      for (NodeId other : topology.voters()) {
        if (!other.equals(self) && !other.equals(about)) {
          outbox.send(other, message);
        }
      }
    }
  }

  /** A topology was decided: what was under way is done, or in vain. */
  void install(@Nullable Topology before, Topology topology) {
    if (before != null) {
      before.removedBy(topology, true).forEach(requests::forgetJoin);
    }
    own = null;
    proposed = null;
    greatestRound = 0;
    mustDecide = false;
    isBackingOff = false;
    nextPlanNanos = Long.MIN_VALUE;
    plannedFacts = null;
    plan = Plan.NOTHING;
    if (times.holds(Rule.ADD_IN_EPOCH)) {
      caughtUp
          .entrySet()
          .removeIf(entry ->
              entry.getValue().segEpoch() != topology.segments().get(entry.getKey()).segEpoch());
    }
    released.forEach((segment, nodes) ->
        nodes
            .values()
            .removeIf(segEpoch -> segEpoch != topology.segments().get(segment).segEpoch()));
    released.values().removeIf(Map::isEmpty);
    leaving.removeIf(node -> topology.member(node) == null);
    offers.install(topology);
    copies.install(topology);
  }
}
