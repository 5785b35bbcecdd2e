package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * The moving of entries between the members of a cluster: how far it is, whether it may go on, and
 * what is left that can't be moved since all who had it are gone. Thread-safe.
 *
 * <p>While it is paused no copy of a segment is begun and no primary moves, so a member that joins
 * gets nothing and what was lost with a member is not copied again. Copies that are under way are
 * finished. If a member is lost, another one that has its entries takes over at once all the same,
 * and a member that leaves in an orderly way hands over what it has. A pause is known to all
 * members, those that join later included, and ends by {@code resume} alone or with the cluster.
 *
 * <p>Caches of as many owners and segments share their segments, so they are paused and resumed
 * together. A cache moves only if neither it nor the cluster is paused.
 *
 * <p>A segment is <em>lost</em> if no member has its entries any more: as many nodes as a cache has
 * owners died or were cut off before others were given copies. Operations on it fail until one of
 * these nodes is back with what it has. A process that was started again has nothing, so if all of
 * them are dead, the entries are lost for good, and somebody has to say so: {@link #restartLost}.
 *
 * <p>Without a <em>majority</em> of its voters a cluster decides nothing and serves nothing. If
 * these are dead and don't come back, an operator says so: {@link #recoverMajority}.
 */
public interface Rebalancing {
  /** In place of a speed: that of each member's own configuration, {@link ClusterConfig}. */
  long AS_CONFIGURED = 0;

  /** In place of a speed: any. */
  long UNLIMITED = Long.MAX_VALUE;

  /** The least speed in bytes a second. To hold copies back for longer, pause them. */
  long SPEED_MIN = 64 * 1024;

  /**
   * How far it is. Asks all members and waits a second at most.
   *
   * @throws FatalGridException if the grid is closed
   */
  RebalanceProgress progress();

  /** Whether the whole cluster is paused, as far as this node knows. */
  boolean isPaused();

  /**
   * Whether a cache is paused, by itself or with the cluster, as far as this node knows.
   *
   * @throws InvalidRequestException if the cluster has no such cache
   */
  boolean isPaused(String cacheName);

  /**
   * Pauses all caches, those included that are still to come. Returns when that is decided.
   *
   * @throws InvalidRequestException if the node is in no cluster
   * @throws RetryableGridException if the cluster does not decide in time
   */
  void pause();

  /** Lets it go on, but for caches that were paused by name. Otherwise as {@link #pause()}. */
  void resume();

  /**
   * Pauses a cache and those that share its segments. Returns when that is decided.
   *
   * @throws InvalidRequestException if the cluster has no such cache
   * @throws RetryableGridException if the cluster does not decide in time
   */
  void pause(String cacheName);

  /** Lets a cache go on, unless the cluster is paused. Otherwise as {@link #pause(String)}. */
  void resume(String cacheName);

  /**
   * The most bytes of copies that each member sends per second, as far as this node knows.
   *
   * @return the last value that {@link #limit} set, or {@link #AS_CONFIGURED}
   */
  long bytesPerSecondMax();

  /**
   * Sets the speed of copies for all members, those that join later included, in place of what each
   * was configured with. Copies that are under way follow at once. Members still send less while
   * operations take long ({@code rebalanceLatency}), but not less than 4 MiB per second, or this
   * limit if that is lower. Returns when that is decided.
   *
   * @param bytesPerSecondMax the most that each member sends, {@link #SPEED_MIN} or more; {@link
   *     #UNLIMITED}; or {@link #AS_CONFIGURED}
   * @throws InvalidRequestException if the speed is another number, or if the node is in no cluster
   * @throws RetryableGridException if the cluster does not decide in time
   */
  void limit(long bytesPerSecondMax);

  /**
   * The segments of a cache that are lost, as far as this node knows.
   *
   * @return 0 to the cache's segments
   * @throws InvalidRequestException if the cluster has no such cache
   */
  int lostSegments(String cacheName);

  /**
   * Gives up what is lost: the cache's lost segments begin anew, without entries, and take
   * operations again. The caches that share its segments are restarted together, and lose what they
   * had in these. Segments that somebody serves stay as they are, and so do those that are lost
   * after this node last heard of the cluster. Does nothing if nothing is lost. Returns when it is
   * decided.
   *
   * <p>Say this of nodes that are dead. Those that are only cut off give their copies up when they
   * are back. If all that have the copies of a segment reach each other, they may go on meanwhile:
   * what is written there is acknowledged and lost, and caches of one owner are read there as well,
   * while others are served by the segment that began anew. Entries that {@link
   * WhenSplit#ALLOW_READ_WRITES} keeps apart are handed over as always; the restart counts as a
   * removal of the entries that were there.
   *
   * <p>Listeners hear a gap, not removals. Versions go on behind those of before, so a version that
   * a client still has does not come up again. A segment can begin anew 255 times.
   *
   * @return how many segments began anew; fewer than were lost if some came back meanwhile
   * @throws InvalidRequestException if the cluster has no such cache
   * @throws RetryableGridException if the cluster does not decide in time; it may do so later
   */
  int restartLost(String cacheName);

  /**
   * Returns what the cluster may lose if it goes on without its majority, or null if a majority of
   * the voters answers a member that this node reaches. Asks all members and waits a second at
   * most.
   *
   * @throws InvalidRequestException if the node is in no cluster, or is no member of it
   */
  @Nullable LostMajority lostMajority();

  /**
   * Lets the cluster go on with the members that answer, although they are no majority. The others
   * are removed. Returns when that is decided.
   *
   * <p>Say this only of nodes that are dead. Members that are only cut off may go on as a majority
   * of their own, so that there are two clusters until they hear of each other. Then they give
   * their copies up, and what they acknowledged meanwhile is lost.
   *
   * <p>It is not needed where the processes of dead members are started again with the same name
   * and address, and a member that is left noticed the deaths at once: that cluster goes on by
   * itself.
   *
   * @param confirmation that of {@link #lostMajority}
   * @return what was confirmed
   * @throws InvalidRequestException if the situation is not the one that was confirmed, or if the
   *     node is in no cluster, or is no member of it
   * @throws RetryableGridException if a member does not take part, or not in time
   */
  LostMajority recoverMajority(String confirmation);
}
