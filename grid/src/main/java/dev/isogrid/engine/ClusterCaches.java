package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.base.Env;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The clustered caches of this node, which come and go with the topology. For the thread that
 * drives the node.
 */
public final class ClusterCaches implements TopologyListener {
  /** Where the caches of a node are. Called by the thread that drives it; must be short. */
  public interface Host {
    /**
     * Makes room for a cache that the cluster has now.
     *
     * @param group of the cache; the room has as many segments
     * @return null for a cache whose entries are each node's own; the host has it then
     * @throws dev.isogrid.api.GridException if this node can't have it, and so can't be in the
     *     cluster
     */
    @Nullable Room make(CacheDefinition definition, CacheGroup group);

    /** A cache began. */
    void begun(ReplicatedEngine engine);

    /** The cluster has a cache no more. */
    void ended(ReplicatedEngine engine);

    /** The cluster has a cache no more whose entries were each node's own. */
    void ended(CacheDefinition own);
  }

  /**
   * The parts of a cache on a node.
   *
   * @param container where its entries are kept
   * @param merge decides where both sides of a split changed an entry
   * @param kept keeps the entries on a disk, or null for memory only
   */
  public record Room(
      CacheConfig config,
      Container<BinaryKey, Bytes> container,
      EntryMerge merge,
      @Nullable EntryJournal<BinaryKey, Bytes> kept) {}

  /** In place of a number of restarts: loaded entries are not those of the cluster. */
  private static final int NOT_RESTORED = -1;

  private final Host host;
  private final ServedSegments served;
  private final long timeoutMillis;
  private final Env env;
  private final Map<Integer, ReplicatedEngine> engines = new HashMap<>();

  /** The caches whose entries are each node's own, by their numbers. */
  private final Map<Integer, CacheDefinition> own = new HashMap<>();

  private final List<CacheGroup> groups = new ArrayList<>();

  /** By group, the caches of the group. */
  private final List<Map<Integer, ReplicaStore>> stores = new ArrayList<>();

  /** The id of the newest cache that this node has heard of. */
  private int lastCacheId;

  /** The epoch of what this node remembers of the cluster, 0 if it remembers nothing. */
  private int rememberedEpoch;

  /** The restarts of segments that have their loaded entries, or {@link #NOT_RESTORED}. */
  private int restoredRestarts = NOT_RESTORED;

  private @Nullable ClusterDriver driver;
  private @Nullable DiskReads reads;
  private @Nullable ClusterFeeds feeds;
  private @Nullable Sides sides;

  /**
   * Begins without caches.
   *
   * @param served what the node may do in its segments
   * @param timeoutMillis how long operations wait for other nodes, 1 or more
   */
  public ClusterCaches(Host host, ServedSegments served, long timeoutMillis, Env env) {
    this.host = host;
    this.served = served;
    this.timeoutMillis = timeoutMillis;
    this.env = env;
  }

  /** Says who drives the node; before there is a topology. */
  public void attach(ClusterDriver driver) {
    this.driver = driver;
    this.reads = new DiskReads(env.scheduler(), driver::run);
    ClusterFeeds attached = new ClusterFeeds(driver.self(), driver::send, driver::isLeased);
    this.feeds = attached;
    driver.attach(attached);
  }

  /** Says who runs the code of users on entries; after {@link #attach}. */
  public void attach(EntryProcessing processing) {
    Objects.requireNonNull(driver).attach(new EntryPreparation(engines::get, processing));
  }

  /** Says who knows about sides of splits; before there is a topology. */
  public void attach(Sides known) {
    sides = known;
  }

  /**
   * Says that this node has loaded stores.
   *
   * @param epoch of the last topology that it remembers, in which they were this node's; before
   *     there is a topology
   */
  public void remember(int epoch) {
    rememberedEpoch = epoch;
  }

  /** Takes the loaded entries for those of the cluster, if it came back with them. */
  private void restore(Topology first) {
    Member self = first.member(Objects.requireNonNull(driver).self());
    Origin origin = first.origin();
    boolean isRestored =
        rememberedEpoch > 0
            && origin.epoch() > rememberedEpoch
            && self != null
            && self.joinedEpoch() == origin.epoch();
    restoredRestarts = isRestored ? origin.restarts() : NOT_RESTORED;
  }

  @Override
  public void onTopology(@Nullable Topology before, Topology now) {
    if (before == null) {
      restore(now);
    }
    for (int i = groups.size(); i < now.groups().size(); i++) {
      groups.add(now.groups().get(i));
      stores.add(new HashMap<>());
    }
    endAllBut(now); // first, since a name can be that of another cache by now
    for (CacheDefinition cache : now.caches()) {
      if (!engines.containsKey(cache.id()) && !own.containsKey(cache.id())) {
        begin(cache, now);
      }
    }
    lastCacheId = now.lastCacheId();
  }

  private void endAllBut(Topology now) {
    for (ReplicatedEngine engine : List.copyOf(engines.values())) {
      if (now.cache(engine.id()) == null) {
        engines.remove(engine.id());
        Objects.requireNonNull(feeds).ended(engine.id());
        stores.forEach(group -> group.remove(engine.id()));
        countOnDisk(engine, -1);
        host.ended(engine);
      }
    }
    for (CacheDefinition cache : List.copyOf(own.values())) {
      if (now.cache(cache.id()) == null) {
        own.remove(cache.id());
        host.ended(cache);
      }
    }
  }

  private void begin(CacheDefinition cache, Topology now) {
    Room room = host.make(cache, groups.get(cache.group()));
    if (room == null) {
      own.put(cache.id(), cache);
      return;
    }
    int first = now.firstSegment(cache.group());
    ServedSegment[] segments = new ServedSegment[groups.get(cache.group()).segmentCount()];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = served.of(first + i);
    }
    ReplicatedEngine engine = engine(cache, room, first, segments);
    engines.put(cache.id(), engine);
    stores.get(cache.group()).put(cache.id(), engine.store());
    countOnDisk(engine, 1);
    Objects.requireNonNull(feeds).begun(cache.id(), first, engine.feed());
    host.begun(engine);
  }

  private void countOnDisk(ReplicatedEngine engine, int change) {
    if (engine.store().isOnDisk()) {
      Objects.requireNonNull(reads).count(change);
    }
  }

  private ReplicatedEngine engine(
      CacheDefinition cache, Room room, int firstSegment, ServedSegment[] segments) {
    ClusterDriver by = Objects.requireNonNull(driver);
    if (room.config().whenSplit() == WhenSplit.ALLOW_READ_WRITES) {
      AvailableCalls calls =
          new AvailableCalls(by, firstSegment, timeoutMillis, Objects.requireNonNull(sides));
      return new AvailableEngine(cache, room, segments, calls, env);
    }
    ClusterCalls calls = new ClusterCalls(by, firstSegment, timeoutMillis);
    EntryJournal<BinaryKey, Bytes> kept = room.kept();
    ReplicatedEngine engine =
        new ReplicatedEngine(cache, room.config(), room.container(), segments, calls, env, kept);
    if (kept != null) {
      kept.whenForced(() -> by.forced(engine));
    }
    return engine;
  }

  /** The container of a segment of the cluster, for all caches of its group. */
  public CommittedEntries segment(int segment) {
    int group = 0;
    int index = segment;
    while (index >= groups.get(group).segmentCount()) {
      index -= groups.get(group).segmentCount();
      group++;
    }
    Map<Integer, ReplicaStore> caches = stores.get(group);
    Collection<ReplicaStore> all = caches.values();
    return new ReplicatedSegment(
        index,
        served.of(segment),
        caches::get,
        all,
        () -> lastCacheId,
        restoredRestarts,
        Objects.requireNonNull(reads));
  }
}
