package dev.isogrid.api;

/**
 * The moving of entries between the members of a cluster: how far it is, and whether it may go on.
 * Thread-safe.
 *
 * <p>While it is paused no copy of a segment is begun and no primary moves, so a member that joins
 * gets nothing and what was lost with a member is not copied again. Copies that are under way are
 * finished. If a member is lost, another one that has its entries takes over at once all the same,
 * and a member that leaves in an orderly way hands over what it has. A pause is known to all
 * members, those that join later included, and ends by {@code resume} alone or with the cluster.
 *
 * <p>Caches of as many owners and segments share their segments, so they are paused and resumed
 * together. A cache moves only if neither it nor the cluster is paused.
 */
public interface Rebalancing {
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
}
