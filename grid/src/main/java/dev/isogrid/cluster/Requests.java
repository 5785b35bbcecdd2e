package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.LimitCopies;
import dev.isogrid.cluster.MembershipMessage.Pause;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.cluster.MembershipMessage.Unreached;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Link;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What nodes ask a voter for: to be taken in, to be taken for what they are, caches, pauses, to
 * give up what is lost, to do without a replica that does not answer. Each request is forgotten
 * after a while, since its caller asks again. Not thread-safe.
 */
final class Requests {
  /*
   * A request for a cache may be late: it was granted, and the cache removed, and here it comes
   * again. So it names the number of the last cache that its sender knew to be defined, and is void
   * if there was another one since. The sender learns of that one and asks again, if it still wants
   * to. Hence a request is in vain only where another one was granted.
   */

  /** Requests of a kind that are remembered; the others come again. */
  private static final int JOINS_MAX = 64;

  private static final int CACHES_MAX = Topology.CACHES_MAX;
  private static final int BROKEN_MAX = 4096;
  private static final int PAUSES_MAX = 4096;
  private static final int RESTARTS_MAX = 4096;

  /**
   * How much longer it is remembered that a link is broken: who complained has nothing to complain
   * of any more, and each attempt at a new copy costs the segments a new epoch.
   */
  private static final int BROKEN_LASTING = 6;

  private record Timed<T>(T request, long nanos) {}

  private final long lastingNanos;
  private final Map<NodeId, Timed<Join>> joins = new LinkedHashMap<>();
  private final Map<String, Timed<Define>> defining = new LinkedHashMap<>();
  private final Map<Integer, Timed<Undefine>> removing = new LinkedHashMap<>();
  private final Map<Integer, Timed<Pause>> pausing = new LinkedHashMap<>();

  /** The speed of copies that is wanted, or null. */
  private @Nullable Timed<LimitCopies> limit;

  private final Map<Integer, Timed<RestartLost>> restarting = new LinkedHashMap<>();
  private final Map<Link, Timed<Unreached>> broken = new LinkedHashMap<>();

  /** Since when there is a request, by broken link. */
  private final Map<Link, Long> brokenSince = new HashMap<>();

  /**
   * Begins without any.
   *
   * @param lastingNanos how long one is remembered
   */
  Requests(long lastingNanos) {
    this.lastingNanos = lastingNanos;
  }

  void add(Join join, long nowNanos) {
    add(joins, join.node(), join, JOINS_MAX, nowNanos);
  }

  /** A node does not want in any more, or must ask again. */
  void forgetJoin(NodeId node) {
    joins.remove(node);
  }

  /**
   * A cache is wanted.
   *
   * @return whether that is news
   */
  boolean add(Topology topology, Define define, long nowNanos) {
    return isTimely(topology, define)
        && add(defining, define.request().name(), define, CACHES_MAX, nowNanos);
  }

  /**
   * A cache is not wanted any more.
   *
   * @return whether that is news
   */
  boolean add(Topology topology, Undefine undefine, long nowNanos) {
    CacheDefinition cache = topology.cache(undefine.id());
    return cache != null
        && cache.name().equals(undefine.name())
        && add(removing, undefine.id(), undefine, CACHES_MAX, nowNanos);
  }

  /**
   * Rebalancing is to pause or to go on.
   *
   * @return whether that is news
   */
  boolean add(Topology topology, Pause pause, long nowNanos) {
    return isTimely(topology, pause) && add(pausing, pause.group(), pause, PAUSES_MAX, nowNanos);
  }

  private static boolean isTimely(Topology topology, Pause pause) {
    return pause.changes() == topology.pauses().changes();
  }

  /**
   * Copies are to have another speed. Of several requests the last one counts.
   *
   * @return whether that is news
   */
  boolean add(Topology topology, LimitCopies wanted, long nowNanos) {
    if (!isTimely(topology, wanted)) {
      return false;
    }
    Timed<LimitCopies> before = limit;
    limit = new Timed<>(wanted, nowNanos);
    return before == null || !before.request().equals(wanted);
  }

  private static boolean isTimely(Topology topology, LimitCopies wanted) {
    return wanted.changes() == topology.pauses().changes();
  }

  /**
   * Lets lost segments of a group begin anew. Of several requests the one counts that knew most.
   *
   * @return whether that is news
   */
  boolean add(Topology topology, RestartLost restart, long nowNanos) {
    Timed<RestartLost> known = restarting.get(restart.group());
    int inEpoch = known == null ? 0 : known.request().inEpoch();
    if (restart.inEpoch() < inEpoch || !isTimely(topology, restart)) {
      return false;
    }
    boolean isFirst = add(restarting, restart.group(), restart, RESTARTS_MAX, nowNanos);
    return isFirst || restart.inEpoch() > inEpoch;
  }

  private static boolean isTimely(Topology topology, RestartLost restart) {
    return topology.offlineSince(restart.group(), restart.inEpoch()) > 0;
  }

  void add(Unreached unreached, long nowNanos) {
    Link link = new Link(unreached.primary(), unreached.node());
    if (add(broken, link, unreached, BROKEN_MAX, nowNanos)) {
      brokenSince.put(link, nowNanos);
    }
  }

  /** Whether it is remembered and was not before. */
  private static <K, T> boolean add(
      Map<K, Timed<T>> requests, K key, T request, int requestsMax, long nowNanos) {
    boolean hasRoom = requests.size() < requestsMax || requests.containsKey(key);
    return hasRoom && requests.put(key, new Timed<>(request, nowNanos)) == null;
  }

  private static boolean isTimely(Topology topology, Define define) {
    return define.lastCacheId() == topology.lastCacheId();
  }

  /** Forgets what is too old. */
  void expire(Topology topology, long nowNanos) {
    joins.values().removeIf(each -> isOver(each, nowNanos));
    defining
        .values()
        .removeIf(each -> isOver(each, nowNanos) || !isTimely(topology, each.request()));
    removing.values().removeIf(each -> isOver(each, nowNanos));
    pausing
        .values()
        .removeIf(each -> isOver(each, nowNanos) || !isTimely(topology, each.request()));
    Timed<LimitCopies> wanted = limit;
    if (wanted != null && (isOver(wanted, nowNanos) || !isTimely(topology, wanted.request()))) {
      limit = null;
    }
    restarting
        .values()
        .removeIf(each -> isOver(each, nowNanos) || !isTimely(topology, each.request()));
    broken.values().removeIf(each -> nowNanos - each.nanos() >= BROKEN_LASTING * lastingNanos);
    brokenSince.keySet().retainAll(broken.keySet());
  }

  private boolean isOver(Timed<?> each, long nowNanos) {
    return nowNanos - each.nanos() >= lastingNanos;
  }

  /**
   * The nodes that want in and speak the protocol; of those with one name the first, once no member
   * has it.
   */
  List<Member> joining(Topology topology) {
    List<Member> joining = new ArrayList<>();
    for (Timed<Join> each : joins.values()) {
      NodeId node = each.request().node();
      MemberProfile profile = each.request().profile();
      boolean isFree =
          Stream.concat(topology.members().stream(), joining.stream())
              .noneMatch(other -> other.profile().hasNameOf(profile));
      boolean isSpoken = profile.speaks().include(topology.protocol());
      if (topology.member(node) == null && isFree && isSpoken) {
        joining.add(new Member(node, 1, profile));
      }
    }
    return joining;
  }

  /** The profiles that members sent. */
  Map<NodeId, MemberProfile> told(Topology topology) {
    Map<NodeId, MemberProfile> told = new HashMap<>();
    joins.forEach((node, each) -> {
      if (topology.member(node) != null) {
        told.put(node, each.request().profile());
      }
    });
    return told;
  }

  /** The caches that are wanted. */
  List<CacheRequest> defining() {
    return defining.values().stream().map(each -> each.request().request()).toList();
  }

  /** By group, whether its rebalancing is to pause. */
  Map<Integer, Boolean> pausing() {
    Map<Integer, Boolean> wanted = new HashMap<>();
    pausing.forEach((group, each) -> wanted.put(group, each.request().isPaused()));
    return wanted;
  }

  /** The speed of copies that is wanted, or null. */
  @Nullable Long copySpeed() {
    Timed<LimitCopies> wanted = limit;
    return wanted == null ? null : wanted.request().bytesPerSecondMax();
  }

  /** By group, the epoch in which its segments must have been offline to be begun anew. */
  Map<Integer, Integer> restarting() {
    Map<Integer, Integer> wanted = new HashMap<>();
    restarting.forEach((group, each) -> wanted.put(group, each.request().inEpoch()));
    return wanted;
  }

  /** The links that are broken. */
  Set<Link> broken() {
    return broken.keySet();
  }

  /** Those of them that were complained of for the first time so long ago. */
  Set<Link> overdue(long afterNanos, long nowNanos) {
    Set<Link> overdue = new HashSet<>();
    brokenSince.forEach((link, since) -> {
      if (nowNanos - since >= afterNanos) {
        overdue.add(link);
      }
    });
    return overdue;
  }

  /** The numbers of the caches that are not wanted any more. */
  Set<Integer> removing() {
    return removing.keySet();
  }
}
