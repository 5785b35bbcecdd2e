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
   * The cache of a name; made with the default configuration (local, heap objects) if there is none
   * yet. The same name gives the same cache. The types are the caller's promise.
   *
   * @param name 1 to 255 characters; not beginning with {@code ___} or {@code org.infinispan.},
   *     which are reserved
   * @throws InvalidRequestException if the name is not allowed
   * @throws FatalGridException if the grid is closed
   */
  <K, V> Cache<K, V> cache(String name);

  /**
   * The cache of a name; made with this configuration if there is none yet. An existing cache is
   * returned as it is, whatever its configuration.
   *
   * @throws FatalGridException if the grid is closed
   */
  <K, V> Cache<K, V> cache(String name, CacheConfig config);

  /**
   * Makes a cache.
   *
   * @throws InvalidRequestException if the name is taken or not allowed
   * @throws FatalGridException if the grid is closed
   */
  <K, V> Cache<K, V> createCache(String name, CacheConfig config);

  /** The cache of a name, or null if there is none. */
  <K, V> @Nullable Cache<K, V> findCache(String name);

  /**
   * Removes a cache with all that is in it. Operations on it fail from now on.
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

  /** The multimap in a cache, without duplicates; the cache is made if there is none yet. */
  default <K, V> MultimapCache<K, V> multimap(String cacheName) {
    return multimap(cacheName, CacheConfig.builder().build(), false);
  }

  /**
   * The multimap in a cache.
   *
   * @param cacheName as in {@link #cache(String)}
   * @param config how the cache is made if there is none yet; objects are kept as bytes on the heap
   * @param supportsDuplicates whether a key can have equal values
   * @throws InvalidRequestException if there is a cache of that name that keeps objects
   */
  <K, V> MultimapCache<K, V> multimap(
      String cacheName, CacheConfig config, boolean supportsDuplicates);

  /** Begins a map/reduce over a cache of this grid. */
  <K, V> MapReduceInput<K, V> mapReduce(Cache<K, V> cache);

  /**
   * Has tasks done by the nodes of the cluster; without one, by this node.
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
