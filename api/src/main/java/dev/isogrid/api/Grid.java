package dev.isogrid.api;

import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node of the data grid inside this process: the place where caches are made and found.
 *
 * {@snippet :
 * try (Grid grid = Grid.start()) {
 *   Cache<String, String> cache = grid.cache("greetings");
 *   cache.put("hello", "world", 10, TimeUnit.MINUTES);
 * }
 * }
 *
 * <p>Thread-safe. Several grids can live in one process; they share nothing.
 */
public interface Grid extends AutoCloseable {
  /** Starts a node with the default configuration: alone, nothing listens on the network. */
  static Grid start() {
    return start(GridConfig.builder().build());
  }

  /**
   * Starts a node.
   *
   * @throws FatalGridException if the library {@code isogrid-grid} is not on the class path, or the
   *     node can't start
   */
  static Grid start(GridConfig config) {
    return ServiceLoader.load(GridProvider.class, Grid.class.getClassLoader())
        .findFirst()
        .orElseThrow(() ->
            new FatalGridException(
                "no grid implementation on the class path; add dev.isogrid:isogrid-grid"))
        .start(config);
  }

  /** The node's name. */
  String nodeName();

  /** The configuration that the node was started with. */
  GridConfig config();

  /**
   * The cache of a name. On a member of a cluster that is the cluster's cache of this name, on
   * whichever node it was defined. The types are the caller's promise.
   *
   * <p>A name without a definition gets a cache of {@link GridConfig#defaultCache}. Without such a
   * default, a node that is alone makes a local cache of objects, and a member of a cluster refuses
   * the name. The first call for a name may take a round through the cluster.
   *
   * @param name 1 to 255 characters; not beginning with {@code ___} or {@code org.infinispan.},
   *     which are reserved
   * @throws InvalidRequestException if the name is not allowed, or has no definition and there is
   *     no default
   * @throws RetryableGridException if the cluster does not answer in time
   * @throws FatalGridException if the grid is closed
   */
  <K, V> Cache<K, V> cache(String name);

  /**
   * The cache of a name: made with this configuration if there is none yet, else the one that
   * exists. Of several calls at the same time, on any nodes, one defines the cache. In a cluster
   * the definition is the cluster's, for local caches too: each node has a local cache of this
   * definition, with its own entries.
   *
   * <p>An existing cache must have been defined alike. Attributes that were changed since don't
   * count. An encoding or a marshaller that this configuration does not set fits any.
   *
   * @throws InvalidRequestException if the name is not allowed, or the cache was defined
   *     differently; the message has both values of each attribute that differs
   * @throws RetryableGridException if the cluster does not decide in time
   * @throws FatalGridException if the grid is closed
   */
  <K, V> Cache<K, V> cache(String name, CacheConfig config);

  /**
   * Makes a cache.
   *
   * @throws InvalidRequestException if the name is taken or not allowed
   * @throws RetryableGridException if the cluster does not decide in time
   * @throws FatalGridException if the grid is closed
   */
  <K, V> Cache<K, V> createCache(String name, CacheConfig config);

  /** The cache of a name as far as this node knows, or null if there is none. Never waits. */
  <K, V> @Nullable Cache<K, V> findCache(String name);

  /**
   * Removes a cache with all its entries, on all nodes of the cluster. Operations on it fail from
   * now on. Other nodes learn of it a moment later; until then they refuse another definition of
   * the name.
   *
   * @return whether there was one
   * @throws InvalidRequestException if the name is reserved
   */
  boolean removeCache(String name);

  /** The names of all caches at this moment, sorted. */
  Set<String> cacheNames();

  /**
   * The counters of the grid.
   *
   * @throws FatalGridException if the grid is closed
   * @throws RetryableGridException if the cluster does not agree in time on where to keep them
   */
  Counters counters();

  /**
   * The locks, semaphores and sequences of the grid.
   *
   * @throws FatalGridException if the grid is closed
   * @throws RetryableGridException if the cluster does not agree in time on where to keep them
   */
  Locks locks();

  /**
   * The multimap in a cache, without duplicates. If there is no cache of this name, it is made with
   * {@link GridConfig#defaultCache}, or else as a local cache of bytes.
   *
   * @param cacheName as in {@link #cache(String)}
   * @throws InvalidRequestException if there is a cache of that name that keeps objects
   */
  <K, V> MultimapCache<K, V> multimap(String cacheName);

  /**
   * The multimap in a cache.
   *
   * @param cacheName as in {@link #cache(String)}
   * @param config as in {@link #cache(String, CacheConfig)}; objects are kept as bytes on the heap
   * @param supportsDuplicates whether a key can have equal values
   * @throws InvalidRequestException if there is a cache of that name that keeps objects, or was
   *     defined differently
   */
  <K, V> MultimapCache<K, V> multimap(
      String cacheName, CacheConfig config, boolean supportsDuplicates);

  /**
   * Begins a map/reduce over a cache of this grid.
   *
   * @throws InvalidRequestException if it is a cache of another grid
   * @throws FatalGridException if the grid is closed, or the cache was removed
   */
  <K, V> MapReduceInput<K, V> mapReduce(Cache<K, V> cache);

  /**
   * Runs tasks on the nodes of the cluster, or on this node if it is in none.
   *
   * @throws FatalGridException if the grid is closed
   */
  ClusterExecutor executor();

  /**
   * The moving of entries between the members of the cluster; without one, nothing ever moves.
   *
   * @throws FatalGridException if the grid is closed
   */
  Rebalancing rebalancing();

  /**
   * Finds keys of a cache that are on given nodes.
   *
   * @param cacheName the name of a cache that there is
   * @param generator gives a new key each time
   * @throws InvalidRequestException if there is no such cache
   */
  <K> KeyAffinity<K> keyAffinity(String cacheName, Supplier<K> generator);

  /** The off-heap memory of the node. */
  OffHeapUse offHeapUse();

  /** Ends the node and all its caches. Takes at most 10 s. Closing twice is harmless. */
  @Override
  void close();
}
