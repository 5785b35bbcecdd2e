package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Accepted;
import dev.isogrid.cluster.MembershipMessage.AddIsr;
import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.Drain;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.FoundingMessage;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.MembershipMessage.Heartbeat;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.Leave;
import dev.isogrid.cluster.MembershipMessage.LimitCopies;
import dev.isogrid.cluster.MembershipMessage.NameTaken;
import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.cluster.MembershipMessage.OtherVersion;
import dev.isogrid.cluster.MembershipMessage.Outvoted;
import dev.isogrid.cluster.MembershipMessage.Pause;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.cluster.MembershipMessage.Promise;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Recover;
import dev.isogrid.cluster.MembershipMessage.Recoverable;
import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.cluster.MembershipMessage.Suspect;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.cluster.MembershipMessage.Unreached;
import dev.isogrid.cluster.MembershipMessage.Wait;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of the cluster, and its part in deciding what comes next. The one who calls
 * installs what is decided. Not thread-safe.
 */
public final class Membership {
  /*
   * One place for all that comes of the cluster and all that is due. The parts hold the protocol:
   * Lease, Voter, Authority, Survivor and CacheRequests each have an essay of their own. This class
   * keeps the topology that they share, gives each message to the part that it is for, and asks for
   * what this node wants. So it is a long list of short methods.
   */

  /** Nodes that are no members are asked what they know once in so many times to send again. */
  private static final int STRANGERS_RESENDS = 10;

  /** What a disk has is offered once in so many times to send again: it may be much. */
  private static final int OFFERS_RESENDS = 5;

  private final NodeId self;
  private final ClusterTimes times;
  private final Outbox outbox;
  private final Lease lease;
  private final GoneNodes gone;
  private final Voter voter;
  private final Survivor survivor;
  private final Authority authority;
  private final CacheRequests requests;
  private final TopologyNews news;
  private final MajorityRecovery recovery;
  private FormerLives former = FormerLives.none();
  private List<NodeId> contacts = List.of();
  private MemberProfile profile = MemberProfile.ofCapacity(1);
  private boolean isLeaving;
  private boolean isStarted;
  private long tickedNanos;
  private @Nullable Topology topology;
  private long nextRequestNanos = Long.MIN_VALUE;
  private long foreignTopologies;

  /** The identity of the last topology that is not of this cluster, or null. */
  private @Nullable String foreignIdentity;

  /** By segment that waits for this node, whether it has its copy. */
  private Map<Integer, Boolean> ownCopies = Map.of();

  /** When it is next said what this node has that nobody serves. */
  private long nextOfferNanos = Long.MIN_VALUE;

  /** When nodes that are no members were last asked what they know. */
  private long strangersNanos;

  /** A node without a cluster. */
  public Membership(NodeId self, ClusterTimes times, Outbox outbox, RandomGenerator random) {
    this.self = self;
    this.times = times;
    this.outbox = outbox;
    this.lease = new Lease(self, times);
    this.gone = new GoneNodes(times.gone());
    this.voter = new Voter(self, times, outbox, gone);
    this.requests = new CacheRequests(outbox);
    this.news = new TopologyNews(times, outbox);
    this.survivor = new Survivor(self, times, lease, gone);
    Planner planner = new Planner(times.holds(Rule.PROMOTE_IN_SYNC));
    this.authority = new Authority(self, times, outbox, planner, voter, survivor, random);
    this.recovery = new MajorityRecovery(self, times, outbox, lease, voter);
  }

  /** Says what this node's disk has of former lives; before it knows a topology. */
  public void remember(FormerLives lives) {
    former = lives;
  }

  /**
   * Says which segments of the topology wait for this node, after each {@link #install}.
   *
   * @param copies by segment, whether this node has its copy of it
   */
  public void waitedFor(Map<Integer, Boolean> copies) {
    ownCopies = Map.copyOf(copies);
  }

  /** The newest topology that this node knows, or null. */
  public @Nullable Topology topology() {
    return topology;
  }

  /** The right to serve. */
  public Lease lease() {
    return lease;
  }

  /**
   * Compares the clocks; to be called before each {@link #tick}, at the same time.
   *
   * @param wallMillis the wall clock
   * @return whether they disagree, so that the lease is void
   */
  public boolean compareClocks(long nowNanos, long wallMillis) {
    return lease.compareClocks(nowNanos, wallMillis);
  }

  /** Says which nodes there are, members or not. */
  public void discovered(List<NodeId> nodes) {
    contacts = List.copyOf(nodes);
  }

  /** Changes the profile of this node; the others learn it. */
  public void updateProfile(MemberProfile now) {
    profile = now;
    nextRequestNanos = Long.MIN_VALUE;
  }

  /**
   * Asks for a cache from now on until the topology has one of that name.
   *
   * @return false if this node asks for too many already
   */
  public boolean tryDefine(CacheRequest request) {
    boolean isAsking = requests.tryDefine(request);
    beginAsking();
    return isAsking;
  }

  /**
   * Asks from now on for a cache to be removed, until it is not in the topology.
   *
   * @return false if this node asks for too many already
   */
  public boolean tryUndefine(String name, int id) {
    boolean isAsking = requests.tryUndefine(name, id);
    beginAsking();
    return isAsking;
  }

  /**
   * Asks from now on for rebalancing to pause or to go on, until the topology shows it.
   *
   * @param group the place of a group, or {@link dev.isogrid.topology.Pauses#ALL}
   */
  public void pause(int group, boolean isPaused) {
    requests.pause(group, isPaused);
    beginAsking();
  }

  /** Asks for neither any more. */
  public void forgetPause(int group) {
    requests.forgetPause(group);
  }

  /**
   * Asks from now on for copies to have a speed, until the topology shows it.
   *
   * @param bytesPerSecondMax as in {@link dev.isogrid.topology.Pauses}
   */
  public void limitCopies(long bytesPerSecondMax) {
    requests.limitCopies(bytesPerSecondMax);
    beginAsking();
  }

  /** Asks for no other speed any more. */
  public void forgetLimit() {
    requests.forgetLimit();
  }

  /**
   * Asks from now on for the segments of a group that are offline to be begun anew, without their
   * entries, until the topology shows it.
   *
   * @param inEpoch the epoch in which they are; those that are offline later are not meant
   */
  public void restartLost(int group, int inEpoch) {
    requests.restartLost(group, inEpoch);
    beginAsking();
  }

  /** Does not ask for it any more. */
  public void forgetRestart(int group) {
    requests.forgetRestart(group);
  }

  /**
   * Begins to recover the majority, since an operator says that members are gone for good. The
   * topology shows it, or {@link #recoveryRefusal} says why not.
   *
   * @param without the members that are gone
   */
  public void recover(Set<NodeId> without, long nowNanos) {
    recovery.begin(topology, without, nowNanos);
  }

  /** Gives that up, unless it is decided already. */
  public void forgetRecovery() {
    recovery.forget();
  }

  /** Returns why the last recovery that began here failed, or null if it did not yet. */
  public @Nullable String recoveryRefusal() {
    return recovery.refusal();
  }

  /** Returns whether this node knows all that was decided before these nodes died. */
  public boolean knowsEndOf(Set<NodeId> nodes) {
    Topology known = topology;
    return known != null && survivor.knowsEndOf(known, nodes);
  }

  /**
   * Asks at the next tick. What the topology shows already is not asked for: it may be changed by
   * others before the next topology comes, and would be brought back.
   */
  private void beginAsking() {
    nextRequestNanos = Long.MIN_VALUE;
    if (topology != null) {
      requests.install(topology);
    }
  }

  /** The members that want to go, as far as this node knows. */
  public Set<NodeId> leaving() {
    return authority.leaving();
  }

  /** Asks nothing of the caches of a name any more. */
  public void forget(String name) {
    requests.forget(name);
  }

  /** Whether this node accepted something since it remembered a ballot. */
  public boolean hasAcceptedSince(Ballot remembered) {
    return !voter.acceptedBallot().equals(remembered);
  }

  /**
   * What this node is to remember of its cluster, or null if it is in none.
   *
   * @param predecessors as in {@link Memory}, of this life
   */
  public @Nullable Memory memory(Map<Integer, List<NodeId>> predecessors) {
    Topology known = topology;
    if (known == null) {
      return null;
    }
    Map<Integer, List<NodeId>> all = former.predecessors();
    all.putAll(predecessors);
    return new Memory(self, former.ids(), all, known, voter.acceptedBallot(), voter.accepted());
  }

  /** How often a topology came that is not of this cluster. */
  public long foreignTopologies() {
    return foreignTopologies;
  }

  /** The identity of the cluster that the last of these topologies is of, or null. */
  public @Nullable String foreignIdentity() {
    return foreignIdentity;
  }

  /**
   * Takes note of nodes whose process is dead.
   *
   * @param refusedNanos by node, when a connection to it was refused
   */
  public void gone(Map<NodeId, Long> refusedNanos) {
    gone.add(refusedNanos);
    voter.assumeSilent(refusedNanos.keySet());
  }

  /** Returns whether this node wants to go, or went. */
  public boolean isLeaving() {
    return isLeaving;
  }

  /** Asks to be let go from now on. */
  public void leave() {
    isLeaving = true;
  }

  /** Other voters that may be slow to answer, but send messages and hear this node. */
  public Set<NodeId> busy(long nowNanos) {
    return voter.busy(nowNanos);
  }

  /**
   * Something of another member came at a time, and may wait to be looked at.
   *
   * @return whether it was taken for dead by a refusal before that, which is forgotten now
   */
  public boolean onArrival(NodeId from, long nanos) {
    voter.onArrival(from, nanos);
    boolean isAlive = gone.heard(from, nanos);
    if (isAlive) {
      voter.alive(from);
      survivor.alive(from);
    }
    return isAlive;
  }

  /**
   * Does what is due.
   *
   * @return a topology that was decided, to be installed, or null
   */
  public @Nullable Topology tick(long nowNanos) {
    Topology known = topology;
    long stoodStill = nowNanos - tickedNanos - times.heartbeat();
    if (isStarted && stoodStill > 0) {
      voter.forgive(stoodStill, nowNanos);
    }
    strangersNanos = isStarted ? strangersNanos : nowNanos;
    isStarted = true;
    tickedNanos = nowNanos;
    boolean isTime = nextRequestNanos == Long.MIN_VALUE || nowNanos - nextRequestNanos >= 0;
    if (isTime) {
      nextRequestNanos = nowNanos + times.resend();
      request(known, nowNanos);
    }
    if (known != null && known.member(self) != null) {
      survivor.tick(known);
      lease.tick(known, () -> voter.silent(known, nowNanos), outbox, nowNanos);
      return decide(known, nowNanos);
    }
    return null;
  }

  /** Decides alone, or with others, what this node may, and returns what it decided, or null. */
  private @Nullable Topology decide(Topology known, long nowNanos) {
    Topology recovered = recovery.tick(nowNanos);
    if (recovered != null) {
      announce(known, recovered);
      return recovered;
    }
    if (recovery.isPromised(nowNanos)) {
      return null;
    }
    authority.tick(known, nowNanos);
    return takeOver(known, nowNanos);
  }

  /** Whether the only thing that is due soon is the next heartbeat. */
  public boolean isQuiet(long nowNanos) {
    Topology known = topology;
    return known != null
        && nextRequestNanos != Long.MIN_VALUE
        && lease.isHeld(nowNanos)
        && voter.isQuiet()
        && survivor.isQuiet(known)
        && authority.isQuiet(known);
  }

  /**
   * Returns whether this node is the only member, and the next tick asks or plans something. No
   * other node can have a part in it, so nothing is gained by waiting for that tick.
   */
  public boolean isDueAlone() {
    Topology known = topology;
    return known != null
        && known.members().size() == 1
        && known.member(self) != null
        && (nextRequestNanos == Long.MIN_VALUE || authority.isToPlan(known));
  }

  /** The members that this node begins to miss, each once in a silence; for each tick. */
  public Set<NodeId> newlyMissed(long nowNanos) {
    Topology known = topology;
    return known == null ? Set.of() : voter.newlyMissed(known, nowNanos);
  }

  /** Decides alone, if this node is the heir of a voter that is dead, and knows what it did. */
  private @Nullable Topology takeOver(Topology known, long nowNanos) {
    boolean isHeir = self.equals(known.heir());
    boolean mayTakeOver =
        isHeir
            && gone.counts(known, known.voters().getFirst())
            && (lease.isHeld(nowNanos) || !times.holds(Rule.HEIR_LEASED));
    Topology decided = mayTakeOver ? authority.takeOver(known, nowNanos) : null;
    if (decided != null) {
      announce(known, decided);
    }
    return decided;
  }

  /**
   * Why this node may not serve now, in words, or null if it may.
   *
   * @return what is, and what to do
   */
  public @Nullable String obstacle(long nowNanos) {
    Topology known = topology;
    if (known == null) {
      return "no cluster found: node=%s, contacts=%d; start the others"
          .formatted(self, contacts.size());
    }
    if (known.member(self) == null) {
      return "node not in the cluster now: node=%s, epoch=%d; it asks to be let in"
          .formatted(self, known.epoch());
    }
    if (lease.isHeld(nowNanos)) {
      return null;
    }
    if (!self.equals(known.heir())) {
      return ("no majority of the voters answers: node=%s, voters=%s; start or reconnect them, or"
              + " if they are gone for good, recover the majority without them")
          .formatted(known.nameOf(self), known.voters().stream().map(known::nameOf).toList());
    }
    NodeId voter = known.voters().getFirst();
    return gone.counts(known, voter)
        ? ("the other of two nodes is gone, and may have gone on without this one before: node=%s,"
                + " other=%s; what it wrote then is lost: recover the majority to go on")
            .formatted(known.nameOf(self), known.nameOf(voter))
        : ("the older of two nodes is silent, and may be serving: node=%s, other=%s; this one goes"
                + " on when it hears of it; a third node, of capacity 0 if need be, avoids this")
            .formatted(known.nameOf(self), known.nameOf(voter));
  }

  /**
   * Asks to join if this node is no member or another one than it is taken for, to leave if it
   * wants to, for caches, and for news if it has no lease: there may be other voters by now.
   */
  private void request(@Nullable Topology known, long nowNanos) {
    int epoch = known == null ? 0 : known.epoch();
    Member asKnown = known == null ? null : known.member(self);
    if (known != null) {
      offer(known, nowNanos);
    }
    if (known == null || asKnown == null) {
      if (!isLeaving || (known != null && isNeeded(known))) {
        others(known).forEach(node -> outbox.send(node, new Join(epoch, self, profile)));
      }
      return;
    }
    if (!asKnown.profile().equals(profile)) {
      known.voters().forEach(node -> outbox.send(node, new Join(epoch, self, profile)));
    }
    requests.send(known);
    if (isLeaving) {
      boolean ownsNothing = known.segments().stream().noneMatch(each -> each.involves(self));
      if (ownsNothing) {
        lease.giveUp();
      }
      Leave leave = new Leave(epoch, self, ownsNothing);
      known.members().forEach(member -> outbox.send(member.id(), leave));
    }
    if (!lease.isHeld(nowNanos)) {
      others(known).forEach(node -> outbox.send(node, new Fetch(epoch)));
    } else if (nowNanos - strangersNanos >= STRANGERS_RESENDS * times.resend()) {
      strangersNanos = nowNanos;
      askStrangers(known);
    }
  }

  /** Tells the voters what this node has of segments that nobody serves. */
  private void offer(Topology known, long nowNanos) {
    if (nextOfferNanos == Long.MIN_VALUE || nowNanos - nextOfferNanos >= 0) {
      nextOfferNanos = nowNanos + OFFERS_RESENDS * times.resend();
      Offer offer = former.next(known.epoch(), ownCopies);
      if (offer != null) {
        known.voters().forEach(node -> outbox.send(node, offer));
      }
    }
  }

  /**
   * Asks nodes that are there and no members what they know. They may be members of another cluster
   * of that name, or of this one as it was before an operator recovered its majority, and would
   * never hear of this one.
   */
  private void askStrangers(Topology known) {
    for (NodeId node : contacts) {
      if (known.member(node) == null && !node.equals(self)) {
        outbox.send(node, new Fetch(known.epoch()));
      }
    }
  }

  /** Everybody who may know more. */
  private Set<NodeId> others(@Nullable Topology known) {
    Set<NodeId> others = new LinkedHashSet<>(contacts);
    if (known != null) {
      known.members().forEach(member -> others.add(member.id()));
    }
    others.remove(self);
    return others;
  }

  /** Whether a segment waits for this node's copy. */
  private boolean isNeeded(Topology known) {
    return IntStream.range(0, known.segments().size())
        .anyMatch(
            i -> known.segments().get(i).isr().contains(self) && ownCopies.getOrDefault(i, true));
  }

  /** Whether a member may take over what this node keeps: one that does not want to leave too. */
  public boolean hasHeirs() {
    Topology known = topology;
    return known != null
        && known.members().stream()
            .anyMatch(member ->
                !member.id().equals(self)
                    && member.profile().capacity() > 0
                    && !authority.isLeaving(member.id()));
  }

  /** Whether this node has left the cluster as it wanted, and nobody needs it any more. */
  public boolean hasLeft() {
    Topology known = topology;
    return isLeaving && known != null && known.member(self) == null && !isNeeded(known);
  }

  /**
   * Sees to it that the sender of a message learns that it is behind, or this node that it is; not
   * each time that it is called.
   *
   * @param epoch that of the message
   */
  public void compare(NodeId from, int epoch, long nowNanos) {
    compare(from, epoch, false, nowNanos);
  }

  private void compare(NodeId from, int epoch, boolean asks, long nowNanos) {
    Topology known = topology;
    int mine = known == null ? 0 : known.epoch();
    if (epoch > mine) {
      news.onAhead(from, known, nowNanos);
    } else if (epoch < mine && known != null) {
      news.onBehind(from, known, asks, nowNanos);
    }
  }

  /**
   * A message came.
   *
   * @return a topology that was decided, to be installed, or null
   */
  public @Nullable Topology onMessage(NodeId from, MembershipMessage message, long nowNanos) {
    Topology known = topology;
    if (message instanceof OtherVersion) {
      return null;
    }
    if (message instanceof Learn learn) {
      return onLearn(known, from, learn, nowNanos);
    }
    if (known == null || !isOfThisCluster(known, message)) {
      return null;
    }
    if (message instanceof Join join) {
      onJoin(known, from, join, nowNanos);
      return null;
    }
    if (message instanceof Heartbeat && message.epoch() != known.epoch()) {
      voter.assumeHeard(from, nowNanos);
    }
    if (message.epoch() != known.epoch()) {
      boolean asks = message instanceof Fetch || message instanceof FoundingMessage;
      compare(from, message.epoch(), asks, nowNanos);
    }
    return onKnown(known, from, message, nowNanos);
  }

  /** Returns the topology if it is to be installed: one that follows what this node knows. */
  private @Nullable Topology onLearn(
      @Nullable Topology known, NodeId from, Learn learn, long nowNanos) {
    Topology told = learn.topology();
    if (known == null) {
      return told;
    }
    boolean isNew = told.epoch() > known.epoch();
    boolean isForeign = !told.origin().isOfClusterOf(known.origin());
    if (isForeign && isNew) {
      news.onBehind(from, known, true, nowNanos); // so that both sides know of each other
    }
    return (isNew || isForeign) && isOfThisCluster(told) ? told : null;
  }

  private boolean isOfThisCluster(Topology next) {
    Topology known = topology;
    boolean isOurs = known == null || next.canFollow(known);
    if (!isOurs) {
      foreignTopologies++;
      foreignIdentity = next.origin().identity();
    }
    return isOurs;
  }

  /** Whether what a ballot is about can follow the topology that this node knows. */
  private boolean isOfThisCluster(Topology known, MembershipMessage message) {
    if (message.epoch() != known.epoch()) {
      return true;
    }
    Proposal proposal =
        switch (message) {
          case Accept accept -> accept.proposal();
          case Promise promise -> promise.accepted();
          case Recoverable recoverable -> recoverable.accepted();
          default -> null;
        };
    return proposal == null || isOfThisCluster(proposal.topology());
  }

  /** Whether a node that takes part in a recovery takes no part in this. */
  private static boolean isOfMajority(MembershipMessage message) {
    return isOfBallot(message)
        || message instanceof Heartbeat
        || message instanceof Grant
        || message instanceof Outvoted
        || message instanceof Wait;
  }

  private static boolean isOfBallot(MembershipMessage message) {
    return message instanceof Prepare
        || message instanceof Promise
        || message instanceof Accept
        || message instanceof Accepted;
  }

  private @Nullable Topology onKnown(
      Topology known, NodeId from, MembershipMessage message, long nowNanos) {
    boolean isOfEpoch = message.epoch() == known.epoch();
    if (isOfEpoch && isOfBallot(message)) {
      voter.assumeHeard(from, nowNanos); // before a plan goes by when its heartbeat came
    }
    if (isOfMajority(message) && recovery.isPromised(nowNanos)) {
      return null;
    }
    switch (message) {
      case AddIsr asked -> {
        if (asked.segment() < known.segments().size()) {
          authority.onAddIsr(known, from, asked);
        }
      }
      case Released given -> {
        if (given.segment() < known.segments().size()) {
          authority.onReleased(known, from, given);
        }
      }
      case Leave leave -> {
        authority.onLeave(known, leave.node());
        if (isOfEpoch && leave.isUnleased()) {
          voter.onGivenUp(leave.node());
        }
      }
      case Unreached unreached -> authority.onUnreached(known, from, unreached, nowNanos);
      case Define define -> authority.onDefine(known, define, nowNanos);
      case Pause pause -> authority.onPause(known, pause, nowNanos);
      case LimitCopies limit -> authority.onLimitCopies(known, limit, nowNanos);
      case RestartLost restart -> authority.onRestartLost(known, restart, nowNanos);
      case Offer offer -> authority.onOffer(known, from, offer);
      case Undefine undefine -> authority.onUndefine(known, undefine, nowNanos);
      case Recover ask when isOfEpoch -> recovery.onRecover(known, from, ask, nowNanos);
      case Recoverable answer when isOfEpoch -> recovery.onRecoverable(from, answer);
      case Heartbeat heartbeat when isOfEpoch ->
          voter.onHeartbeat(known, from, heartbeat, nowNanos);
      case Grant grant when isOfEpoch -> lease.onGrant(known, from, grant, nowNanos);
      case Prepare prepare when isOfEpoch -> voter.onPrepare(known, from, prepare, nowNanos);
      case Promise promise when isOfEpoch -> authority.onPromise(known, from, promise, nowNanos);
      case Accept accept when isOfEpoch -> voter.onAccept(known, from, accept, nowNanos);
      case Accepted accepted when isOfEpoch -> {
        if (!accepted.ballot().node().equals(self)) {
          outbox.send(accepted.ballot().node(), accepted);
          return null;
        }
        Topology decided = authority.onAccepted(known, accepted, nowNanos);
        if (decided != null) {
          announce(known, decided);
        }
        return decided;
      }
      case Outvoted outvoted when isOfEpoch -> authority.onOutvoted(known, outvoted, nowNanos);
      case Wait wait when isOfEpoch -> authority.onWait(from, wait, nowNanos);
      case Fetch _ when isOfEpoch && known.member(from) == null ->
          news.onBehind(from, known, true, nowNanos); // it may be of another cluster
      case Fetch _, Learn _, Join _, Drain _, Suspect _, NameTaken _, OtherVersion _ -> {
        // Dealt with before.
      }
      default -> {
        // Of another epoch, so the sender was told or asked.
      }
    }
    return null;
  }

  /**
   * A node wants in. One that does not speak the protocol of the cluster is refused. Others get the
   * names of the voters, and must reach them themselves: else the voters would give them up again
   * at once.
   */
  private void onJoin(Topology known, NodeId from, Join join, long nowNanos) {
    if (!join.profile().speaks().include(known.protocol())) {
      outbox.send(from, new OtherVersion(ProtocolVersions.only(known.protocol())));
      return;
    }
    compare(from, join.epoch(), true, nowNanos);
    if (known.voters().contains(self) && from.equals(join.node())) {
      survivor.onJoin(known, join);
      Member namesake = voter.namesake(known, join, nowNanos);
      if (namesake == null) {
        authority.onJoin(join, nowNanos);
      } else {
        outbox.send(from, new NameTaken(known.epoch(), namesake.profile().seat()));
      }
    }
  }

  private void announce(Topology before, Topology decided) {
    Set<NodeId> all = new LinkedHashSet<>();
    before.members().forEach(member -> all.add(member.id()));
    decided.members().forEach(member -> all.add(member.id()));
    all.remove(self);
    all.forEach(node -> outbox.send(node, new Learn(decided)));
  }

  /** Takes a topology over that was decided. */
  public void install(Topology decided, long nowNanos) {
    Topology before = topology;
    topology = decided;
    news.install();
    lease.install(decided);
    voter.install(before, decided, nowNanos);
    survivor.install(decided);
    recovery.install();
    authority.install(before, decided);
    requests.install(decided);
    former.install(decided);
    ownCopies = Map.of();
    nextOfferNanos = Long.MIN_VALUE;
    nextRequestNanos = Long.MIN_VALUE;
  }
}
