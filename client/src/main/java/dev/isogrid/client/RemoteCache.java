package dev.isogrid.client;

import dev.isogrid.api.BasicCache;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the servers. Thread-safe: all threads share one connection per server.
 *
 * <p>Each operation on a key is one round trip and ends within the client's operation timeout.
 * Those that end in {@code Async} return at once, unless {@link RequestLimits} make them wait. The
 * thread that reads answers completes their futures, so dependent actions must not block: blocking
 * operations fail there. Neither keys nor values may be null.
 *
 * <p>A write whose connection is lost is sent again, to another server if there is one. Isogrid's
 * servers do it once, and the caller gets the outcome of the first attempt; other servers may do it
 * twice. After an {@link OperationTimeoutException} it may have been done.
 *
 * <p>Lifespans and idle times mean what they mean in {@link BasicCache}: 0 stands for the cache's
 * default, a negative number for no limit. {@link #put(Object, Object)} returns the previous value
 * only with {@link Flag#FORCE_RETURN_VALUE}; {@link #putIfAbsent(Object, Object)}, {@link
 * #replace(Object, Object)} and {@link #remove(Object)} always do.
 *
 * <p>Functions of {@link #compute(Object, BiFunction)} and similar methods run in the calling
 * thread, those of {@link #computeAsync(Object, BiFunction)} and its like on a thread of the
 * client, 16 at a time. The entry is read, and written if it is unchanged; else the function is
 * called again with the newer value, {@value #CHANGE_TRIES_MAX} times at most. So a function may be
 * called several times and must have no side effects.
 *
 * <p>A value that the servers would not take in one request is refused by the client with {@link
 * RequestTooLargeException}; see {@link ClientConfig#requestBytesMax} and {@link #streaming()}. The
 * connection, which other threads use, stays open.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface RemoteCache<K, V> extends BasicCache<K, V> {
  /**
   * The most times that an entry is read and written for one {@code compute}, {@code merge} or
   * similar.
   */
  int CHANGE_TRIES_MAX = 64;

  /** The name. */
  @Override
  String getName();

  /** As {@link #getName}. */
  @Override
  default String name() {
    return getName();
  }

  // ---- flags ----------------------------------------------------------------------------------

  /** The same cache with these flags besides; the same object for the same flags. */
  RemoteCache<K, V> withFlags(Flag... flags);

  /** The same cache without any flags. */
  RemoteCache<K, V> noFlags();

  /** The flags that every operation of this instance has. */
  Set<Flag> flags();

  /**
   * The same cache in another form of keys and values; without flags. A near cache is of no use to
   * it.
   */
  <T, U> RemoteCache<T, U> withDataFormat(DataFormat other);

  // ---- single entries -------------------------------------------------------------------------

  /** The value of a key with version and times, or null if there is none. */
  @Nullable MetadataValue<V> getWithMetadata(K key);

  /** As {@link #getWithMetadata}. */
  CompletableFuture<@Nullable MetadataValue<V>> getWithMetadataAsync(K key);

  /**
   * Stores a value if the present one equals the other argument or has the same bytes; arrays are
   * equal if their elements are. Two round trips, more if others write meanwhile.
   */
  @Override
  boolean replace(K key, V oldValue, V newValue);

  /** Stores a value if the entry has this version. */
  default boolean replaceWithVersion(K key, V value, long version) {
    return replaceWithVersion(key, value, version, Expiry.DEFAULT);
  }

  /** Stores a value if the entry has this version. */
  boolean replaceWithVersion(K key, V value, long version, Expiry expiry);

  /** Stores a value for a time if the entry has this version. */
  // tidy: the parameters that users know
  default boolean replaceWithVersion(
      K key, V value, long version, long lifespan, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
    Expiry expiry = Expiry.lifespan(lifespan, unit).withMaxIdle(maxIdle, idleUnit);
    return replaceWithVersion(key, value, version, expiry);
  }

  /** As {@link #replaceWithVersion(Object, Object, long)}, for a time. */
  default boolean replaceWithVersion(K key, V value, long version, Duration lifespan) {
    return replaceWithVersion(key, value, version, Expiry.lifespan(lifespan));
  }

  /** As {@link #replaceWithVersion(Object, Object, long, Duration)}, with max idle too. */
  default boolean replaceWithVersion(
      K key, V value, long version, Duration lifespan, Duration maxIdle) {
    return replaceWithVersion(key, value, version, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /**
   * Stores a value if the entry has this version; it lives until a moment of the servers' clocks,
   * without max idle. The sum of {@link MetadataValue#createdMillis} and {@link
   * MetadataValue#lifespanMillis} as the moment leaves the end of an entry where it was.
   *
   * <p>Servers other than Isogrid's are sent the time from now on by the clock of this machine.
   *
   * @param end in milliseconds; a moment in the past expires the entry at once
   */
  boolean replaceWithVersion(K key, V value, long version, Instant end);

  /** As {@link #replaceWithVersion(Object, Object, long)}. */
  CompletableFuture<Boolean> replaceWithVersionAsync(K key, V value, long version);

  /** Removes an entry if it has this version. */
  boolean removeWithVersion(K key, long version);

  /** As {@link #removeWithVersion}. */
  CompletableFuture<Boolean> removeWithVersionAsync(K key, long version);

  /**
   * Returns the value of a key; if there is none, stores and returns the result of a function.
   * Several callers may each call their function; all get the value that was stored first.
   */
  @Override
  default @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mapping) {
    return computeIfAbsent(key, mapping, Expiry.DEFAULT);
  }

  /**
   * Replaces a value by the result of a function; removes it for null. See the class.
   *
   * @throws HotRodClientException if others changed the entry at each of the tries
   */
  @Override
  default @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    return computeIfPresent(key, remapping, Expiry.DEFAULT);
  }

  /** As {@link #computeIfPresent(Object, BiFunction)}, of a value or of null for its absence. */
  @Override
  default @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    return compute(key, remapping, Expiry.DEFAULT);
  }

  /**
   * Stores a value, or the result of a function of the present one and the new one. See the class.
   */
  @Override
  default @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    return merge(key, value, remapping, Expiry.DEFAULT);
  }

  // ---- tasks ----------------------------------------------------------------------------------

  /**
   * Runs a task of the servers by its name, with this cache as its cache. The request is sent once:
   * if the connection is lost it may have run.
   *
   * @param arguments by name; marshalled as values of this cache
   * @return the result, unmarshalled as a value of this cache; null if the task has none
   * @throws ServerErrorException if there is no such task, it failed, or may not be run
   */
  @SuppressWarnings("TypeParameterUnusedInFormals") // the caller says what the task gives
  <T> @Nullable T execute(String task, Map<String, ?> arguments);

  /** As {@link #execute}. */
  <T> CompletableFuture<@Nullable T> executeAsync(String task, Map<String, ?> arguments);

  // ---- views ----------------------------------------------------------------------------------

  /** The same entries with values that are read and written portion by portion. */
  StreamingRemoteCache<K> streaming();

  /**
   * As {@link #streaming()}.
   *
   * @param portionBytes 1 to {@value StreamingRemoteCache#PORTION_BYTES_MAX}
   */
  StreamingRemoteCache<K> streaming(int portionBytes);

  // ---- contents -------------------------------------------------------------------------------

  /** The keys. */
  @Override
  CloseableIteratorSet<K> keySet();

  /** The keys of some segments, or of all if null is given. */
  CloseableIteratorSet<K> keySet(@Nullable Set<Integer> segments);

  /** The entries; {@code setValue} of one is a {@code put}. */
  @Override
  CloseableIteratorSet<Map.Entry<K, V>> entrySet();

  /** The entries of some segments, or of all if null is given. */
  CloseableIteratorSet<Map.Entry<K, V>> entrySet(@Nullable Set<Integer> segments);

  /** The values. */
  @Override
  CloseableIteratorCollection<V> values();

  /** The values of some segments, or of all if null is given. */
  CloseableIteratorCollection<V> values(@Nullable Set<Integer> segments);

  /** All entries; so many are fetched at once. */
  default CloseableIterator<Map.Entry<K, V>> retrieveEntries(int batchSize) {
    return retrieveEntries(null, null, batchSize);
  }

  /**
   * The entries of some segments, or of all if null is given.
   *
   * @param factory the name of the servers' filter and converter, or null for none
   */
  CloseableIterator<Map.Entry<K, V>> retrieveEntries(
      @Nullable String factory, @Nullable Set<Integer> segments, int batchSize);

  /** As {@link #retrieveEntries(String, Set, int)}, with versions and times. */
  CloseableIterator<Map.Entry<K, MetadataValue<V>>> retrieveEntriesWithMetadata(
      @Nullable Set<Integer> segments, int batchSize);

  /**
   * Publishes entries, in a new iteration for each subscriber, in no order. Several servers are
   * asked at the same time, {@link ClientConfig#iterationServers} at most, each for one batch
   * ahead; the next one is fetched when that was taken. Signals come one after the other, from
   * threads of the client that may block; a subscriber that does not take all entries must cancel.
   *
   * @param factory the name of the servers' filter and converter, or null for none
   * @param parameters the factory's parameters, or null
   * @param segments the wanted ones, or null for all
   */
  Flow.Publisher<Map.Entry<K, V>> publishEntries(
      @Nullable String factory,
      Object @Nullable [] parameters,
      @Nullable Set<Integer> segments,
      int batchSize);

  /** As {@link #publishEntries}, with versions and times. */
  Flow.Publisher<Map.Entry<K, MetadataValue<V>>> publishEntriesWithMetadata(
      @Nullable Set<Integer> segments, int batchSize);

  // ---- listeners ------------------------------------------------------------------------------

  /**
   * Registers a listener for all events; see {@link #addListener(EntryListener, ListenerOptions)}.
   */
  default Subscription addListener(EntryListener<K, V> listener) {
    return addListener(listener, ListenerOptions.DEFAULT);
  }

  /**
   * Registers a listener, as {@link #addClientListener(EntryListener, ListenerOptions)} does.
   *
   * @return the registration; closing it ends the listener, does not wait, and may be done twice
   * @throws IllegalArgumentException if it is registered already
   * @throws HotRodClientException if no server takes it
   */
  Subscription addListener(EntryListener<K, V> listener, ListenerOptions options);

  /**
   * Registers a listener for all events; see {@link #addClientListener(EntryListener,
   * ListenerOptions)}.
   */
  default void addClientListener(EntryListener<K, V> listener) {
    addClientListener(listener, ListenerOptions.DEFAULT);
  }

  /**
   * Registers a listener: it receives all changes of the cache after the return of this method,
   * from all clients. If its connection is lost, it is registered at another server and notified;
   * with {@link ListenerOptions#withState} it then gets all entries again.
   *
   * @throws IllegalArgumentException if it is registered already
   * @throws HotRodClientException if no server takes it
   */
  void addClientListener(EntryListener<K, V> listener, ListenerOptions options);

  /** Registers an object of a class marked with {@link ClientListener}, or an EntryListener. */
  default void addClientListener(Object listener) {
    addClientListener(listener, new Object[0], new Object[0]);
  }

  /**
   * As {@link #addClientListener(Object)}, with parameters for the servers' factories.
   *
   * @throws IllegalArgumentException if it is registered already, or its methods don't fit
   */
  void addClientListener(Object listener, Object[] filterParameters, Object[] converterParameters);

  /** Ends a listener; nothing happens if it is not registered. Does not wait. */
  void removeClientListener(Object listener);

  /** The listeners of this client on the cache. */
  Set<Object> listeners();

  // ---- the whole cache ------------------------------------------------------------------------

  /** The number of entries in the cluster; {@link Integer#MAX_VALUE} if there are more. */
  @Override
  int size();

  /** The statistics of this client for the cache. */
  ClientStatistics clientStatistics();

  /** A server's statistics of the cache, by name; numbers as text. */
  Map<String, String> serverStatistics();
}
