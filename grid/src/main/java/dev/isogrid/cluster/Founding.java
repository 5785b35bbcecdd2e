package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Bid;
import dev.isogrid.cluster.MembershipMessage.FoundingMessage;
import dev.isogrid.cluster.MembershipMessage.Recall;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.MembershipMessage.Returned;
import dev.isogrid.cluster.MembershipMessage.SeedHere;
import dev.isogrid.cluster.MembershipMessage.Vote;
import dev.isogrid.cluster.MembershipMessage.Withdraw;
import dev.isogrid.topology.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a node that knows of no cluster founds one. Driven by messages and by the clock;
 * who drives it stops when a topology is known. Not thread-safe.
 */
public final class Founding {
  /*
   * With a list of seeds: who has the votes of a majority of the seeds founds, and the others
   * join. A seed's vote is at one bidder at a time, and goes to another one only after the first
   * has withdrawn: a bidder that withdrew an attempt never counts votes for it, and one that
   * founded never withdraws. Two founders would need a seed in common that gave its vote to one
   * before that one withdrew, and to the other after; so there is one founder at most, while no
   * seed restarts.
   *
   * The smallest node of those that reach a majority bids; a greater one that hears of it
   * withdraws. So votes that were split come together again.
   *
   * A vote is held by a bidder that died: it may have founded before, and may only be cut off. It
   * is freed when another life of the same place in the list appears, since then the first one is
   * over: two processes cannot have one address. Until then nothing is founded without it, unless
   * the user says so.
   *
   * A seed that restarts forgets its vote. If that happens between its vote and its joining, and
   * the founder is cut off from then on, a second cluster may be founded. Nothing is on disk that
   * could tell.
   *
   * Without a list nothing can be known of those who are not there. Then everybody who is
   * discovered counts as a seed, all of them must vote, and nodes that don't discover each other
   * found two clusters. Nodes that were given a list wait for its seeds, and don't count.
   *
   * A node that can't know whether it is alone first looks for a living cluster for some time:
   * without a list, or if its disk has the addresses of peers. Until then it neither founds nor
   * votes. A peer's former process is dead if connections to its address are refused, or if a
   * node that listens there knows of no cluster. If that is so with all, there is none to be found.
   */

  /** Further nodes that say that they are seeds are not listened to. */
  private static final int SEEDS_MAX = 1024;

  /** A seed is given up after so many of its messages are missing. */
  private static final int MISSING_MAX = 10;

  private record Heard(SeedHere said, long nanos) {}

  private final NodeId self;
  private final FoundingRules rules;
  private final Outbox outbox;
  private final Map<NodeId, Heard> heard = new HashMap<>();
  private final Set<NodeId> pastLives = new HashSet<>();
  private final Set<NodeId> votes = new HashSet<>();
  private final Map<NodeId, Long> withdrawn = new HashMap<>();
  private List<NodeId> discovered = List.of();
  private long startNanos;
  private long nextNanos;
  private boolean isStarted;
  private boolean hasFounded;
  private boolean isBidding;
  private long attempt;
  private @Nullable NodeId votedFor;
  private int votedPosition;
  private long votedAttempt;
  private int otherLists;

  /** Nodes that were given another list; they don't vote here. */
  private final Set<NodeId> outsiders = new HashSet<>();

  /** Whether a living cluster is still looked for. */
  private boolean isLooking;

  /** The peers of this node whose former process may be alive. */
  private final Set<SeedAddress> peers;

  /** Begins without knowing anybody. */
  public Founding(NodeId self, FoundingRules rules, Outbox outbox) {
    this.self = self;
    this.rules = rules;
    this.outbox = outbox;
    this.peers = new HashSet<>(rules.peers());
    this.isLooking = rules.lookNanos() > 0;
  }

  /** Nobody listens at an address, or a node that knows of no cluster. */
  public void peerGone(SeedAddress address) {
    peers.remove(address);
  }

  private boolean arePeersGone() {
    return peers.isEmpty() && !rules.peers().isEmpty();
  }

  /** Whether this node founds although it can't know that its peers are gone. */
  public boolean isInDoubt() {
    return !rules.foundsAlone() && !peers.isEmpty();
  }

  /** Why this node founds a cluster, in words. */
  public String reason() {
    if (rules.foundsAlone()) {
      return "it was told to";
    }
    if (isInDoubt()) {
      return "no cluster let it in, in %d ms, and some peers may be alive: peers=%s; if they are,"
              .formatted(TimeUnit.NANOSECONDS.toMillis(rules.lookNanos()), peers)
          + " end this node, and start it again when it reaches them";
    }
    if (arePeersGone()) {
      return "the former processes of its peers are gone: peers=" + rules.peers();
    }
    return seedsReached() > 1 ? "the others voted for it" : "no other was found";
  }

  /** Other nodes that were discovered, in a cluster or not, instead of those of before. */
  public void onDiscovered(List<NodeId> nodes) {
    discovered = nodes.stream().filter(node -> !node.equals(self)).toList();
    outsiders.retainAll(discovered);
  }

  /** Whom this node's vote is at, or null. */
  public @Nullable NodeId votedFor() {
    return votedFor;
  }

  /** How often a node came that was given another list of seeds. */
  public int otherLists() {
    return otherLists;
  }

  /**
   * Does what is due.
   *
   * @return whether this node founds a cluster, now
   */
  public boolean tick(long nowNanos) {
    if (!isStarted) {
      isStarted = true;
      startNanos = nowNanos;
      nextNanos = nowNanos;
    }
    if (hasFounded || nowNanos - nextNanos < 0) {
      return false;
    }
    nextNanos = nowNanos + rules.resendNanos();
    heard.values().removeIf(each -> nowNanos - each.nanos() > MISSING_MAX * rules.resendNanos());
    boolean isDiscovered = nowNanos - startNanos >= rules.discoveryNanos();
    isLooking = !arePeersGone() && nowNanos - startNanos < rules.lookNanos();
    if (rules.foundsAlone() && isDiscovered) {
      return found();
    }
    SeedHere here = new SeedHere(rules.list(), rules.position(), seedsReached());
    discovered.forEach(node -> outbox.send(node, here));
    if (rules.takesPart() && isDiscovered && !isLooking) {
      bidOrWithdraw();
    }
    return isBidding && hasEnoughVotes() && found();
  }

  private boolean found() {
    hasFounded = true;
    return true;
  }

  /** The seeds that are heard of and this one, each place in the list once. */
  private int seedsReached() {
    return reached().size() + (rules.takesPart() ? 1 : 0);
  }

  private Set<NodeId> reached() {
    Map<Object, NodeId> byPlace = new HashMap<>();
    heard.forEach((node, each) -> {
      int position = each.said().position();
      if (rules.seeds() == 0) {
        byPlace.put(node, node);
      } else if (position != rules.position()) {
        byPlace.put(position, node);
      }
    });
    return Set.copyOf(byPlace.values());
  }

  private int needed(int reached) {
    return rules.seeds() == 0
        ? Math.max(reached, discovered.size() - outsiders.size() + 1)
        : rules.seeds() / 2 + 1;
  }

  private void bidOrWithdraw() {
    Set<NodeId> seeds = reached();
    if (isSmallest()) {
      if (seeds.size() + 1 >= needed(seeds.size() + 1)) {
        bid(seeds);
      }
    } else {
      withdraw(seeds);
    }
    if (isBidding && votedFor == null) {
      vote(self, rules.position(), attempt);
    }
  }

  /** Whether no smaller seed reaches enough others. */
  private boolean isSmallest() {
    return heard.entrySet().stream()
        .noneMatch(each ->
            each.getKey().compareTo(self) < 0 && each.getValue().said().reaches() >= needed(1));
  }

  private void bid(Set<NodeId> seeds) {
    if (!isBidding) {
      isBidding = true;
      attempt++;
    }
    for (NodeId seed : seeds) {
      if (!votes.contains(seed)) {
        outbox.send(seed, new Bid(attempt));
      }
    }
  }

  private void withdraw(Set<NodeId> seeds) {
    isBidding = false;
    votes.clear();
    if (self.equals(votedFor)) {
      votedFor = null;
    }
    if (attempt > 0) {
      seeds.forEach(seed -> outbox.send(seed, new Withdraw(attempt)));
    }
  }

  private boolean hasEnoughVotes() {
    int reached = seedsReached();
    Set<Object> places = new HashSet<>();
    for (NodeId node : votes) {
      Heard of = heard.get(node);
      if (of != null) {
        places.add(rules.seeds() == 0 ? node : Integer.valueOf(of.said().position()));
      }
    }
    int own = self.equals(votedFor) ? 1 : 0;
    return places.size() + own >= needed(reached);
  }

  private void vote(NodeId node, int position, long bid) {
    votedFor = node;
    votedPosition = position;
    votedAttempt = bid;
  }

  /** A message came. */
  public void onMessage(NodeId from, FoundingMessage message, long nowNanos) {
    switch (message) {
      case SeedHere here -> onSeed(from, here, nowNanos);
      case Bid bid -> onBid(from, bid);
      case Vote vote -> {
        if (isBidding && !hasFounded && vote.attempt() == attempt && heard.containsKey(from)) {
          votes.add(from);
        }
      }
      case Withdraw withdraw -> {
        if (heard.containsKey(from)) {
          withdrawn.merge(from, withdraw.attempt(), Math::max);
        }
        if (from.equals(votedFor) && withdraw.attempt() >= votedAttempt) {
          votedFor = null;
        }
      }
      case Returned _, Recall _, Recollection _ -> {
        // Of a node that brings its cluster back: this one waits, and joins that.
      }
    }
  }

  private void onSeed(NodeId from, SeedHere here, long nowNanos) {
    if (here.list() != rules.list()) {
      otherLists++;
      if (discovered.contains(from)) {
        outsiders.add(from);
      }
      return;
    }
    int position = here.position();
    boolean isSeed =
        rules.seeds() == 0
            || (position >= 0 && position < rules.seeds() && position != rules.position());
    boolean isOver = pastLives.contains(from) || !discovered.contains(from);
    if (!isSeed || isOver || (heard.size() >= SEEDS_MAX && !heard.containsKey(from))) {
      return;
    }
    if (rules.seeds() > 0 && !heard.containsKey(from)) {
      endLivesBefore(from, position);
    }
    heard.put(from, new Heard(here, nowNanos));
  }

  /** The place has another life: what the one before said, and what it was given, is void. */
  private void endLivesBefore(NodeId life, int position) {
    heard.forEach((node, each) -> {
      if (each.said().position() == position && pastLives.size() < SEEDS_MAX) {
        pastLives.add(node);
      }
    });
    heard.keySet().removeAll(pastLives);
    boolean isVoteFreed = votedFor != null && votedPosition == position && !life.equals(votedFor);
    if (isVoteFreed && pastLives.size() < SEEDS_MAX) {
      pastLives.add(votedFor);
      votedFor = null;
    }
  }

  private void onBid(NodeId from, Bid bid) {
    Heard bidder = heard.get(from);
    boolean isVoid = bid.attempt() <= withdrawn.getOrDefault(from, 0L);
    if (bidder == null || !rules.takesPart() || hasFounded || isLooking || isVoid) {
      return;
    }
    if (votedFor == null) {
      vote(from, bidder.said().position(), bid.attempt());
    }
    if (from.equals(votedFor)) {
      votedAttempt = Math.max(votedAttempt, bid.attempt());
      outbox.send(from, new Vote(votedAttempt));
    }
  }
}
