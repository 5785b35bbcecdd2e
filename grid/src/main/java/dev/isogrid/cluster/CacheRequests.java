package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.LimitCopies;
import dev.isogrid.cluster.MembershipMessage.Pause;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.Topology;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The caches that this node wants the cluster to have, or to be rid of, whose rebalancing it wants
 * to pause, to go on or to have another speed, or whose lost segments it wants to be begun anew.
 * Each is asked for again and again until the topology shows it. Not thread-safe.
 */
final class CacheRequests {
  /** Twice the caches that there can be. */
  private static final int REQUESTS_MAX = 2 * Topology.CACHES_MAX;

  private final Outbox outbox;
  private final Map<String, CacheRequest> defining = new LinkedHashMap<>();
  private final Map<Integer, String> removing = new LinkedHashMap<>();

  /** By group. */
  private final Map<Integer, Boolean> pausing = new LinkedHashMap<>();

  /** The speed of copies that it wants, as in {@link Pauses}; null for no other one. */
  private @Nullable Long copySpeed;

  /** By group, the epoch in which its segments were offline. */
  private final Map<Integer, Integer> restarting = new LinkedHashMap<>();

  CacheRequests(Outbox outbox) {
    this.outbox = outbox;
  }

  /** Whether there is room for one more. */
  private boolean hasRoom() {
    return defining.size() + removing.size() < REQUESTS_MAX;
  }

  /** Wants a cache, or refuses to since there are too many requests. */
  boolean tryDefine(CacheRequest request) {
    if (!hasRoom() && !defining.containsKey(request.name())) {
      return false;
    }
    defining.put(request.name(), request);
    return true;
  }

  /** Wants to be rid of a cache, or refuses to since there are too many requests. */
  boolean tryUndefine(String name, int id) {
    if (!hasRoom() && !removing.containsKey(id)) {
      return false;
    }
    removing.put(id, name);
    return true;
  }

  /**
   * Wants rebalancing to pause or to go on, in place of what it wanted before.
   *
   * @param group the place of a group, or {@link Pauses#ALL}
   */
  void pause(int group, boolean isPaused) {
    pausing.put(group, isPaused);
  }

  /** Wants neither any more; what was sent may still be done. */
  void forgetPause(int group) {
    pausing.remove(group);
  }

  /** Wants copies to have a speed, as in {@link Pauses}. */
  void limitCopies(long bytesPerSecondMax) {
    copySpeed = bytesPerSecondMax;
  }

  /** Wants no other speed any more; what was sent may still be done. */
  void forgetLimit() {
    copySpeed = null;
  }

  /**
   * Wants the segments of a group to be begun anew that are offline.
   *
   * @param inEpoch the epoch in which they are
   */
  void restartLost(int group, int inEpoch) {
    restarting.merge(group, inEpoch, Math::max);
  }

  /** Does not want that any more; what was sent may still be done. */
  void forgetRestart(int group) {
    restarting.remove(group);
  }

  /** Wants nothing of a name any more; what was sent may still be done. */
  void forget(String name) {
    defining.remove(name);
    removing.values().removeIf(name::equals);
  }

  /** Forgets what a topology shows. */
  void install(Topology topology) {
    defining.keySet().removeIf(name -> topology.cache(name) != null);
    removing.keySet().removeIf(id -> topology.cache(id) == null);
    pausing.entrySet().removeIf(each -> isShown(topology.pauses(), each));
    if (copySpeed != null && copySpeed == topology.pauses().bytesPerSecondMax()) {
      copySpeed = null;
    }
    restarting
        .entrySet()
        .removeIf(each -> topology.offlineSince(each.getKey(), each.getValue()) == 0);
  }

  private static boolean isShown(Pauses pauses, Map.Entry<Integer, Boolean> wanted) {
    return pauses.isPaused(wanted.getKey()) == wanted.getValue();
  }

  /** Asks the voters. */
  void send(Topology topology) {
    for (CacheRequest request : defining.values()) {
      Define define = new Define(topology.epoch(), topology.lastCacheId(), request);
      topology.voters().forEach(node -> outbox.send(node, define));
    }
    pausing.forEach((group, isPaused) -> {
      Pause pause = new Pause(topology.epoch(), topology.pauses().changes(), group, isPaused);
      topology.voters().forEach(node -> outbox.send(node, pause));
    });
    if (copySpeed != null) {
      LimitCopies limit = new LimitCopies(topology.epoch(), topology.pauses().changes(), copySpeed);
      topology.voters().forEach(node -> outbox.send(node, limit));
    }
    restarting.forEach((group, inEpoch) -> {
      RestartLost restart = new RestartLost(topology.epoch(), group, inEpoch);
      topology.voters().forEach(node -> outbox.send(node, restart));
    });
    removing.forEach((id, name) -> {
      Undefine undefine = new Undefine(topology.epoch(), name, id);
      topology.voters().forEach(node -> outbox.send(node, undefine));
    });
  }
}
