package dev.isogrid.engine;

import dev.isogrid.cluster.Outbox;
import dev.isogrid.engine.FeedMessage.Changes;
import dev.isogrid.engine.FeedMessage.Follow;
import dev.isogrid.engine.FeedMessage.Part;
import dev.isogrid.engine.FeedMessage.Place;
import dev.isogrid.engine.FeedMessage.Status;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the segments of a cache that this node is no in-sync replica of, for its listeners. For
 * the thread that drives the node.
 */
final class FeedFollower {
  /*
   * For each such segment this node asks one other for the changes behind the place that it has
   * heard of: the primary, which answers as soon as there are some. Answers may get lost or come
   * twice; then it asks again, or passes over what it knows.
   *
   * A primary that took over may not know what was before it was given its copy. Then the one that
   * was asked before is asked for the rest, and the other replicas. If none of them knows, changes
   * are lost, and listeners are told so.
   */
  private static final System.Logger log = System.getLogger(FeedFollower.class.getName());

  /** A node that does not answer is asked again, and says how far it is. */
  private static final long RESEND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long one is waited for that may know what another one does not. */
  private static final long OTHER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A node that refused is asked again after this. */
  private static final long REFUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How often segments are looked through for what is due. */
  private static final long SCAN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long FENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How often all members are told that there are listeners. */
  private static final long INTEREST_NANOS = FeedSource.INTEREST_NANOS / 4;

  /** The question for one segment, and the node that gets it. */
  private static final class Ask {
    private @Nullable NodeId primary;

    /** The primary before, if it may still know something. */
    private @Nullable NodeId former;

    /** How many of those that may know something said that they don't, or did not answer. */
    private int refusals;

    private boolean isAsked;
    private long dueNanos;

    /** Where to go on if what comes before is lost. */
    private long restSeq;
  }

  private final int cacheId;
  private final int firstSegment;
  private final NodeId self;
  private final ChangeFeed feed;
  private final Outbox outbox;
  private final BooleanSupplier isLeased;
  private final Ask[] asks;
  private final List<FeedFence> fences = new ArrayList<>();
  private boolean isActive;
  private long lastFence;
  private long fencedNanos;
  private long scannedNanos;
  private long toldInterestNanos;
  private int seenEpoch;

  // tidy: a segment's place, and the way out
  FeedFollower(
      int cacheId,
      int firstSegment,
      NodeId self,
      ChangeFeed feed,
      Outbox outbox,
      BooleanSupplier isLeased) {
    this.cacheId = cacheId;
    this.firstSegment = firstSegment;
    this.self = self;
    this.feed = feed;
    this.outbox = outbox;
    this.isLeased = isLeased;
    this.asks = new Ask[feed.segmentCount()];
    for (int i = 0; i < asks.length; i++) {
      asks[i] = new Ask();
    }
  }

  boolean isActive() {
    return isActive;
  }

  /** Begins to follow, or ends it, if listeners came or went. */
  void update(long nowNanos) {
    boolean wanted = feed.hasListeners();
    if (wanted && !isActive) {
      for (int i = 0; i < asks.length; i++) {
        asks[i] = new Ask();
      }
    }
    isActive = wanted;
    feed.heard(wanted);
    toldInterestNanos = nowNanos - INTEREST_NANOS; // wanted or not, and values or not
    scannedNanos = nowNanos - SCAN_NANOS;
  }

  /** Begins a fence: its places are those that segments have reached now. */
  FeedFence fence(long nowNanos) {
    FeedFence fence = new FeedFence(++lastFence, asks.length);
    fences.add(fence);
    fencedNanos = nowNanos - FENCE_NANOS;
    return fence;
  }

  /** Nobody waits for a fence any more. */
  void forget(FeedFence fence) {
    fences.remove(fence);
  }

  private SegmentOwners owners(Topology topology, int index) {
    return topology.segments().get(firstSegment + index);
  }

  // ---- asking

  /** Does what is due. */
  void step(Topology topology, long nowNanos) {
    if (!isActive && fences.isEmpty()) {
      return;
    }
    Asking asking = new Asking(topology);
    if (isActive) {
      if (topology.epoch() != seenEpoch) {
        seenEpoch = topology.epoch();
        install(topology, nowNanos);
        toldInterestNanos = nowNanos - INTEREST_NANOS;
        scannedNanos = nowNanos - SCAN_NANOS;
      }
      if (nowNanos - toldInterestNanos >= INTEREST_NANOS) {
        toldInterestNanos = nowNanos;
        asking.allMembers();
      }
      if (nowNanos - scannedNanos >= SCAN_NANOS) {
        scannedNanos = nowNanos;
        scan(topology, asking, nowNanos);
      }
    }
    asking.send(0);
    stepFences(topology, nowNanos);
  }

  private void install(Topology topology, long nowNanos) {
    for (int index = 0; index < asks.length; index++) {
      Ask ask = asks[index];
      NodeId primary = owners(topology, index).primary();
      if (primary != null && !primary.equals(ask.primary)) {
        ask.former = ask.primary;
        ask.primary = primary;
        ask.refusals = 0;
        ask.isAsked = false;
        ask.dueNanos = nowNanos;
      }
    }
  }

  private void scan(Topology topology, Asking asking, long nowNanos) {
    for (int index = 0; index < asks.length; index++) {
      Ask ask = asks[index];
      if (ask.primary == null || nowNanos - ask.dueNanos < 0) {
        continue;
      }
      int at = index;
      feed.locked(
          index,
          part -> {
            if (!part.isTold && !feed.tryTell(at, part)) {
              if (ask.isAsked && ask.refusals > 0) {
                ask.refusals++; // who was asked beside the primary did not answer
              }
              ask(topology, at, part, asking, nowNanos);
            }
          });
    }
  }

  /** Asks the next one that may know what is missing. Locked. */
  private void ask(
      Topology topology, int index, ChangeFeed.Part part, Asking asking, long nowNanos) {
    Ask ask = asks[index];
    List<NodeId> others = others(topology, index);
    if (others.isEmpty() && !feed.served(index).isInSync()) {
      return; // nobody has the segment just now, so nothing changes in it either
    }
    if (ask.refusals >= others.size()) {
      lose(index, part);
    }
    if (others.isEmpty() || part.isTold) {
      return;
    }
    NodeId next = others.get(ask.refusals);
    ask.isAsked = true;
    ask.dueNanos = nowNanos + (ask.refusals == 0 ? RESEND_NANOS : OTHER_NANOS);
    asking.ask(next, new Place(index, part.heard));
  }

  /** The other nodes that may know something, the likeliest first. */
  private List<NodeId> others(Topology topology, int index) {
    Set<NodeId> others = new LinkedHashSet<>();
    SegmentOwners owners = owners(topology, index);
    NodeId primary = owners.primary();
    if (primary != null) {
      others.add(primary);
    }
    NodeId former = asks[index].former;
    if (former != null && topology.member(former) != null) {
      others.add(former);
    }
    others.addAll(owners.isr());
    others.remove(self);
    return List.copyOf(others);
  }

  /** Nobody knows what is missing. Locked. */
  private void lose(int index, ChangeFeed.Part part) {
    Ask ask = asks[index];
    boolean isHere = feed.served(index).isInSync();
    long rest = isHere ? feed.position(index) : ask.restSeq;
    log.log(
        Level.WARNING,
        "changes are lost for listeners, who are told so: cache={0}, segment={1}, heard={2},"
            + " next={3}, node={4}",
        feed.engine().name(),
        index,
        part.heard,
        rest,
        self);
    part.heard = Math.max(part.heard, rest);
    part.isTold = isHere;
    ask.refusals = 0;
    feed.tellGap(index);
  }

  // ---- answers

  /** Changes came. */
  void onChanges(NodeId from, Changes changes, Topology topology, long nowNanos) {
    if (!isActive) {
      return;
    }
    Asking asking = new Asking(topology);
    for (Part told : changes.parts()) {
      if (told.index() >= asks.length) {
        continue;
      }
      feed.locked(told.index(), part -> take(told, part, topology, asking, nowNanos));
      if (told.status() == Status.TOLD && changes.fence() != 0) {
        for (FeedFence fence : fences) {
          if (fence.number() == changes.fence()) {
            fence.target(told.index(), told.position());
          }
        }
      }
    }
    asking.send(0);
  }

  private void take(
      Part told, ChangeFeed.Part part, Topology topology, Asking asking, long nowNanos) {
    if (part.isTold) {
      return;
    }
    Ask ask = asks[told.index()];
    switch (told.status()) {
      case TOLD -> {
        if (told.since() > part.heard) {
          return; // an answer to a question of before the last gap
        }
        feed.deliver(told.index(), part, told.changes());
        part.heard = Math.max(part.heard, told.upTo());
        ask.refusals = 0;
        if (!feed.tryTell(told.index(), part)) {
          ask(topology, told.index(), part, asking, nowNanos);
        }
      }
      case LOST, NOT_HERE -> {
        if (told.since() != part.heard) {
          return;
        }
        boolean isLost = told.status() == Status.LOST;
        ask.restSeq = isLost ? Math.max(ask.restSeq, told.position()) : ask.restSeq;
        boolean counts = isLost || ask.refusals > 0;
        ask.refusals += counts ? 1 : 0;
        ask.isAsked = false;
        ask.dueNanos = counts ? nowNanos : nowNanos + REFUSED_NANOS;
      }
    }
  }

  // ---- fences

  private void stepFences(Topology topology, long nowNanos) {
    boolean asks = nowNanos - fencedNanos >= FENCE_NANOS;
    fencedNanos = asks ? nowNanos : fencedNanos;
    for (FeedFence fence : fences) {
      Asking asking = new Asking(topology);
      int index = fence.nextOpen(0);
      while (index >= 0) {
        step(fence, index, topology, asks ? asking : null);
        index = fence.nextOpen(index + 1);
      }
      asking.send(fence.number());
    }
    fences.removeIf(FeedFence::isDone);
  }

  private void step(FeedFence fence, int index, Topology topology, @Nullable Asking asking) {
    NodeId primary = owners(topology, index).primary();
    feed.locked(
        index,
        part -> {
          boolean serves = ServedSegment.isServed(feed.served(index).stamp());
          if (part.isTold && serves && isLeased.getAsBoolean()) {
            fence.pass(index);
          } else if (fence.isKnown(index)) {
            fence.reached(index, feed.heard(index, part));
          } else if (asking != null && primary != null && !primary.equals(self)) {
            long place = part.isTold ? Place.NOW : part.heard;
            asking.ask(primary, new Place(index, place));
          }
        });
  }

  /** Questions, by whom they are for. */
  private final class Asking {
    private final Topology topology;
    private final Map<NodeId, List<Place>> places = new HashMap<>();

    Asking(Topology topology) {
      this.topology = topology;
    }

    void ask(NodeId node, Place place) {
      places.computeIfAbsent(node, _ -> new ArrayList<>()).add(place);
    }

    /** Lets all members know that there are listeners here, so that they keep changes. */
    void allMembers() {
      for (Member member : topology.members()) {
        if (!member.id().equals(self)) {
          places.computeIfAbsent(member.id(), _ -> new ArrayList<>());
        }
      }
    }

    void send(long fence) {
      boolean wantsValues = feed.wantsValues();
      places.forEach((node, list) ->
          outbox.send(node, new Follow(topology.epoch(), cacheId, wantsValues, fence, list)));
    }
  }
}
