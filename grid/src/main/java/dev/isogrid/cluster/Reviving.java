package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.FoundingMessage;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Recall;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.MembershipMessage.Returned;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Revival;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Brings a cluster back all of whose nodes ended, by nodes that remember it. Driven by messages and
 * by the clock; who drives it stops when a topology is known that has this node. Not thread-safe.
 */
public final class Reviving {
  /*
   * Nodes that remember a cluster tell each other what they remember. What counts is the newest
   * topology that any of them knows, or the one that voters accepted for the epoch after it: a
   * voter has on its disk what it accepts before it says so, so what was decided is known as soon
   * as all voters are there. That they are there means that their former processes are dead, for
   * two processes can't have one folder. So nothing is decided any more in that epoch either.
   *
   * A majority of the voters would not do. Two members, and survivors of a lost majority, go on
   * without the others where they know these to be dead.
   *
   * The process of the first voter of that topology founds the next one, and nobody else. It does
   * so when it has heard of all voters, and of all in-sync replicas of the segments that are on
   * disks. It has the new topology on its own disk before it tells anybody. Should it end before,
   * and be started again, it founds again, as if it had not founded before.
   *
   * A node that hears of a cluster that lives asks to be let in, and goes on here until it is: the
   * last members of that cluster may die meanwhile. A node that took their topology over would wait
   * for them, and keep others from bringing the cluster back. Only what members say counts.
   *
   * If the user says that it shall found, a node does so with whoever is there. Those that are
   * started with it come a little later, and their entries would be dropped. So it waits until
   * nobody has come for the time that a living cluster is looked for. If all are there, the first
   * voter's process founds before that, as ever: it does not know what the user said.
   */

  /** So many times as long as between two messages a node waits for others to say what they are. */
  private static final long PATIENCE_FACTOR = 10;

  /** Servers that are started together come within this time. */
  private static final long TOLD_AFTER_NANOS = 1_000_000_000;

  private final NodeId self;
  private final MemberProfile profile;
  private final Recollection own;
  private final FoundingRules rules;
  private final Predicate<CacheDefinition> isKept;
  private final Outbox outbox;

  /** By process, what it remembers. */
  private final Map<NodeId, Recollection> told = new LinkedHashMap<>();

  private List<NodeId> discovered = List.of();
  private @Nullable String conflict;

  /** The newest topology that a member told this node, which is not in it, and when. */
  private @Nullable Topology living;

  private long livingNanos;
  private @Nullable Revival found;

  /** What was told last. */
  private @Nullable String lastNews;

  /** Of whom this node knew at its last tick, and since when it knows of them. */
  private Set<NodeId> came = Set.of();

  private long cameNanos;
  private long startNanos;
  private long nextNanos;
  private boolean isStarted;
  private boolean hasFounded;

  /**
   * Begins without knowing anybody.
   *
   * @param own what this node remembers
   * @param isKept whether the entries of a cache are on disks
   */
  // tidy: the parts of one node
  public Reviving(
      NodeId self,
      MemberProfile profile,
      Recollection own,
      FoundingRules rules,
      Predicate<CacheDefinition> isKept,
      Outbox outbox) {
    this.self = self;
    this.profile = profile;
    this.own = own;
    this.rules = rules;
    this.isKept = isKept;
    this.outbox = outbox;
    told.put(self, own);
  }

  /** What this node remembers. */
  public Memory memory() {
    return own.memory();
  }

  /** Other nodes that were discovered, in a cluster or not, instead of those of before. */
  public void onDiscovered(List<NodeId> nodes) {
    discovered = nodes.stream().filter(node -> !node.equals(self)).toList();
    told.keySet().removeIf(node -> !node.equals(self) && !discovered.contains(node));
  }

  /**
   * A topology was told.
   *
   * @return whether this node is in the cluster now: the topology is of its own cluster, at least
   *     as new as what it remembers, and has this node. If it is of another cluster, {@link
   *     #conflict} says so
   */
  public boolean isIn(NodeId from, Topology told, long nowNanos) {
    Origin remembered = memory().topology().origin();
    if (!told.origin().isOfClusterOf(remembered)) {
      conflict = conflict(told.origin());
      return false;
    }
    if (order(told) < order(memory().topology())) {
      return false;
    }
    if (told.member(from) != null) {
      living = told;
      livingNanos = nowNanos;
    }
    return told.member(self) != null;
  }

  /** Whether a member of the cluster was heard a short time ago. */
  private boolean isLiving(long nowNanos) {
    return living != null && nowNanos - livingNanos < PATIENCE_FACTOR * rules.resendNanos();
  }

  /** A later revival counts more than any number of epochs. */
  private static long order(Origin origin, int epoch) {
    return ((long) origin.epoch() << Integer.SIZE) | epoch;
  }

  private static long order(Topology topology) {
    return order(topology.origin(), topology.epoch());
  }

  private String conflict(Origin other) {
    return ("this node belongs to another cluster of the same name: node=%s, its cluster=%s,"
            + " found=%s; give one of the clusters another name, or move the folder `cluster` and"
            + " the stores out of this node's data folder so that it joins without its entries")
        .formatted(profile.name(), memory().topology().origin().identity(), other.identity());
  }

  /** Why this node can't be in the cluster that it found, or null. */
  public @Nullable String conflict() {
    return conflict;
  }

  /** A message came. */
  public void onMessage(NodeId from, FoundingMessage message) {
    switch (message) {
      case Returned returned -> {
        if (!returned.origin().isOfClusterOf(memory().topology().origin())) {
          conflict = conflict(returned.origin());
        } else if (!told.containsKey(from) && discovered.contains(from)) {
          outbox.send(from, new Recall());
        }
      }
      case Recall _ -> outbox.send(from, own);
      case Recollection recollection -> {
        Origin origin = recollection.memory().topology().origin();
        if (discovered.contains(from) && origin.isOfClusterOf(memory().topology().origin())) {
          told.put(from, recollection);
        }
      }
      default -> {
        // Of a node that remembers nothing: it waits for this one.
      }
    }
  }

  /**
   * Does what is due.
   *
   * @return the topology that this node founds the cluster anew with, now, or null
   */
  public @Nullable Topology tick(long nowNanos) {
    if (!isStarted) {
      isStarted = true;
      startNanos = nowNanos;
      nextNanos = nowNanos;
    }
    if (hasFounded || nowNanos - nextNanos < 0) {
      return null;
    }
    nextNanos = nowNanos + rules.resendNanos();
    Topology last = memory().topology();
    Returned here = new Returned(memory().self(), last.origin(), last.epoch());
    discovered.forEach(node -> outbox.send(node, here));
    if (!told.keySet().equals(came)) {
      came = Set.copyOf(told.keySet());
      cameNanos = nowNanos;
    }
    boolean haveAllTold = told.keySet().containsAll(discovered);
    long patience =
        rules.discoveryNanos() + (haveAllTold ? 0 : PATIENCE_FACTOR * rules.resendNanos());
    Revival revival = revival(false);
    boolean isForced = rules.foundsAlone() && !revival.missing().isEmpty();
    if (isForced) {
      revival = revival(true);
    }
    found = revival;
    if (nowNanos - startNanos < patience || conflict != null || isLiving(nowNanos)) {
      return null;
    }
    boolean isComplete = revival.missing().isEmpty() && (isForced || isFirst(revival));
    boolean isAlone = rules.foundsAlone() && nowNanos - cameNanos >= rules.lookNanos();
    if (!isComplete && !isAlone) {
      return null;
    }
    hasFounded = true;
    return revival.topology(self, profile);
  }

  private boolean isFirst(Revival revival) {
    Revival.Returned first = revival.returned().get(revival.last().voters().getFirst());
    return first != null && first.now().equals(self);
  }

  /** The numbers of segments that begin without entries, which are on no disk that is there. */
  public List<Integer> lost(Topology revived) {
    return found == null ? List.of() : found.lost(revived);
  }

  /** What the nodes that are there know. */
  private Revival revival(boolean isForced) {
    Map<NodeId, NodeId> processes = processes();
    Topology last = memory().topology();
    for (Recollection each : told.values()) {
      Topology known = each.memory().topology();
      last = order(known) > order(last) ? known : last;
    }
    Topology next = last;
    while (next != null) {
      last = next;
      next = isForced || hasVoters(last, processes) ? accepted(last) : null;
    }
    Topology newest = last;
    Map<NodeId, Revival.Returned> returned = new HashMap<>();
    processes.forEach((former, now) -> {
      Recollection each = Objects.requireNonNull(told.get(now));
      Member before = each.memory().topology().member(each.memory().self());
      MemberProfile formerProfile = before == null ? profile : before.profile();
      returned.put(
          former,
          new Revival.Returned(
              now, each.places(), predecessors(newest, former, each.memory()), formerProfile));
    });
    Set<Integer> kept = new HashSet<>();
    last.caches().stream().filter(isKept).forEach(cache -> kept.add(cache.id()));
    return new Revival(last, kept, returned);
  }

  /** The predecessors of a node in the segments of which it was in sync last. */
  private static Map<Integer, List<NodeId>> predecessors(
      Topology last, NodeId former, Memory memory) {
    Map<Integer, List<NodeId>> found = new HashMap<>();
    for (int segment = 0; segment < last.segments().size(); segment++) {
      List<NodeId> ofSegment =
          last.segments().get(segment).isr().contains(former)
              ? memory.predecessorsIn(segment)
              : List.of();
      if (!ofSegment.isEmpty()) {
        found.put(segment, ofSegment);
      }
    }
    return found;
  }

  /** By what they ever were, the nodes that are there; none of two that were the same last. */
  private Map<NodeId, NodeId> processes() {
    Map<NodeId, NodeId> processes = new HashMap<>();
    Set<NodeId> twice = new HashSet<>();
    told.forEach((node, each) -> {
      if (processes.put(each.memory().self(), node) != null) {
        twice.add(each.memory().self());
      }
    });
    told.forEach((node, each) ->
        each.memory().former().forEach(former -> processes.putIfAbsent(former, node)));
    processes.keySet().removeAll(twice);
    return processes;
  }

  private static boolean hasVoters(Topology topology, Map<NodeId, NodeId> processes) {
    NodeId heir = topology.heir();
    return processes.keySet().containsAll(topology.voters())
        && (heir == null || processes.containsKey(heir));
  }

  /** What was accepted last for the epoch after a topology, or null. */
  private @Nullable Topology accepted(Topology topology) {
    Ballot greatest = Ballot.NONE;
    Proposal accepted = null;
    for (Recollection each : told.values()) {
      Memory memory = each.memory();
      boolean isOfEpoch = memory.topology().equals(topology);
      if (isOfEpoch
          && memory.accepted() != null
          && memory.acceptedBallot().compareTo(greatest) > 0) {
        greatest = memory.acceptedBallot();
        accepted = memory.accepted();
      }
    }
    return accepted == null ? null : accepted.topology();
  }

  /**
   * For whom this node waits, in words, if that is to be told: not before others have had some time
   * to come, and not twice. Null otherwise.
   */
  public @Nullable String pollNews(long nowNanos) {
    Revival known = found;
    boolean isWaiting =
        known != null
            && !hasFounded
            && !isLiving(nowNanos)
            && nowNanos - startNanos >= TOLD_AFTER_NANOS
            && !known.missing().isEmpty();
    String news = isWaiting ? obstacle(nowNanos) : lastNews;
    if (news == null || news.equals(lastNews)) {
      return null;
    }
    lastNews = news;
    return news;
  }

  /** For whom this node waits, in words. */
  public String obstacle(long nowNanos) {
    if (conflict != null) {
      return conflict;
    }
    Topology others = living;
    if (others != null && isLiving(nowNanos)) {
      return "node not in the cluster now: node=%s, epoch=%d; it asks to be let in"
          .formatted(profile.name(), others.epoch());
    }
    Revival known = found;
    if (known == null) {
      return "looking for the other members of the cluster: node=" + profile.name();
    }
    List<String> missing = new ArrayList<>();
    for (NodeId node : known.missing()) {
      missing.add(name(known, node));
    }
    if (missing.isEmpty()) {
      return "the cluster comes back: node=%s, founder=%s"
          .formatted(profile.name(), name(known, known.last().voters().getFirst()));
    }
    return ("members of the cluster are missing, which keep its newest entries: node=%s,"
            + " missing=%s; %s")
        .formatted(profile.name(), missing, remedy());
  }

  private String remedy() {
    return rules.foundsAlone()
        ? "start them, or this server, which has --found, goes on without them when no other has"
            + " come for %,d ms".formatted(TimeUnit.NANOSECONDS.toMillis(rules.lookNanos()))
        : "start them, or start one server with --found, which goes on with the entries that are"
            + " there";
  }

  /** What a node was called; a predecessor of a replica may be in older topologies only. */
  private String name(Revival known, NodeId node) {
    Member member = known.last().member(node);
    for (Recollection each : told.values()) {
      member = member == null ? each.memory().topology().member(node) : member;
    }
    return member == null
        ? node.toString()
        : member.profile().name() + " at " + member.profile().seat();
  }
}
