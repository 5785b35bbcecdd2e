package dev.isogrid.engine;

import dev.isogrid.cluster.Outbox;
import dev.isogrid.engine.FeedMessage.Changes;
import dev.isogrid.engine.FeedMessage.Follow;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The feeds of all clustered caches of a node. For the thread that drives the node. */
final class ClusterFeeds {
  private final NodeId self;
  private final Outbox outbox;
  private final BooleanSupplier isLeased;
  private final Map<Integer, CacheFeed> feeds = new HashMap<>();

  /** Both ends of a cache's feed. */
  static final class CacheFeed {
    private final int firstSegment;
    private final FeedSource source;
    private final FeedFollower follower;

    CacheFeed(int firstSegment, FeedSource source, FeedFollower follower) {
      this.firstSegment = firstSegment;
      this.source = source;
      this.follower = follower;
    }
  }

  /**
   * Begins without caches.
   *
   * @param isLeased whether this node may serve what it is primary of
   */
  ClusterFeeds(NodeId self, Outbox outbox, BooleanSupplier isLeased) {
    this.self = self;
    this.outbox = outbox;
    this.isLeased = isLeased;
  }

  /** A cache began. */
  void begun(int cacheId, int firstSegment, ChangeFeed feed) {
    feeds.put(
        cacheId,
        new CacheFeed(
            firstSegment,
            new FeedSource(cacheId, feed, outbox, isLeased),
            new FeedFollower(cacheId, firstSegment, self, feed, outbox, isLeased)));
  }

  /** A cache ended. */
  void ended(int cacheId) {
    feeds.remove(cacheId);
  }

  /** Who follows the changes of a cache, or null if there is no such cache. */
  @Nullable FeedFollower follower(int cacheId) {
    CacheFeed feed = feeds.get(cacheId);
    return feed == null ? null : feed.follower;
  }

  /** A message came. Before there is a topology it is dropped. */
  void onMessage(NodeId from, FeedMessage message, @Nullable Topology topology, long nowNanos) {
    CacheFeed feed = feeds.get(message.cacheId());
    if (feed == null || topology == null) {
      return;
    }
    switch (message) {
      case Follow follow -> feed.source.onFollow(from, follow, topology.epoch(), nowNanos);
      case Changes changes -> feed.follower.onChanges(from, changes, topology, nowNanos);
    }
  }

  /** Does what is due. */
  void step(@Nullable Topology topology, long nowNanos) {
    if (topology == null) {
      return;
    }
    for (CacheFeed feed : feeds.values()) {
      if (feed.source.isFollowed()) {
        feed.source.flush(topology.epoch());
        feed.source.expire(nowNanos);
      }
      if (feed.firstSegment < topology.segments().size()) {
        feed.follower.step(topology, nowNanos);
      }
    }
  }
}
