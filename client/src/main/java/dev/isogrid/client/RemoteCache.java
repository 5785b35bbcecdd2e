package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the servers. Thread-safe: all threads share one connection a server.
 *
 * <p>Each operation is one round trip and ends within the client's operation timeout. Those that
 * end in {@code Async} return at once, unless {@link RequestLimits} make them wait; their results
 * are completed by the thread that reads answers, so what is hung on them must not block:
 * operations that wait fail there. Neither keys nor values may be null.
 *
 * <p>A write whose connection is lost is tried again, at another server if there is one; so it may
 * be done twice, and a condition may be found broken by its own first try. After an {@link
 * OperationTimeoutException} it may have been done.
 *
 * <p>Lifespans and idle times are in the unit given; 0 stands for the cache's default, a negative
 * number for no limit. Writes return the previous value only with {@link Flag#FORCE_RETURN_VALUE}.
 */
public final class RemoteCache<K, V> {
  /*
   * One class, since it is what users know as one interface: each method makes an operation of its
   * arguments, in a few lines, and whatever is more than that is in a class of its own.
   */
  private static final int FLAG_COMBINATIONS = 1 << Flag.values().length;

  private final Router router;
  private final RequestFormat format;

  /** The instances for all combinations of flags, made as they are asked for; shared by all. */
  private final AtomicReferenceArray<RemoteCache<K, V>> byFlags;

  RemoteCache(Router router, RequestFormat format) {
    this(router, format, new AtomicReferenceArray<>(FLAG_COMBINATIONS));
    byFlags.set(format.flags(), this);
  }

  private RemoteCache(
      Router router, RequestFormat format, AtomicReferenceArray<RemoteCache<K, V>> byFlags) {
    this.router = router;
    this.format = format;
    this.byFlags = byFlags;
  }

  /** The name. */
  public String getName() {
    return format.cache().name();
  }

  // ---- flags ----------------------------------------------------------------------------------

  /** The same cache with these flags besides; the same object for the same flags. */
  public RemoteCache<K, V> withFlags(Flag... flags) {
    int bits = format.flags();
    for (Flag flag : flags) {
      bits |= flag.bit();
    }
    return withBits(bits);
  }

  /** The same cache without any flags. */
  public RemoteCache<K, V> noFlags() {
    return withBits(0);
  }

  private RemoteCache<K, V> withBits(int bits) {
    RemoteCache<K, V> known = byFlags.get(bits);
    if (known != null) {
      return known;
    }
    byFlags.compareAndSet(bits, null, new RemoteCache<>(router, format.withFlags(bits), byFlags));
    return byFlags.get(bits);
  }

  /** The flags that every operation of this instance has. */
  public Set<Flag> flags() {
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    for (Flag flag : Flag.values()) {
      if ((format.flags() & flag.bit()) != 0) {
        flags.add(flag);
      }
    }
    return Collections.unmodifiableSet(flags);
  }

  /**
   * The same cache in another form of keys and values; without flags. A near cache is of no use to
   * it.
   */
  public <T, U> RemoteCache<T, U> withDataFormat(DataFormat other) {
    ObjectFormat keys = new ObjectFormat(other.keys());
    ObjectFormat values = new ObjectFormat(other.values());
    return new RemoteCache<>(router, format.withFormats(keys, values));
  }

  // ---- reads ----------------------------------------------------------------------------------

  private byte[] bytes(Object key) {
    return format.keys().keyBytes(Objects.requireNonNull(key, "key"));
  }

  /** What is kept here, if this instance may use it. */
  private @Nullable NearCache near() {
    NearCache near = format.cache().near();
    return near != null && near.isFor(format) ? near : null;
  }

  /** The value of a key, or null if there is none. */
  public @Nullable V get(K key) {
    NearCache near = near();
    if (near == null) {
      return Answers.await(router.send(new GetOperation<V>(format, bytes(key))));
    }
    MetadataValue<V> found = near.get(format, bytes(key));
    return found == null ? null : found.value();
  }

  /** As {@link #get}. */
  public CompletableFuture<@Nullable V> getAsync(K key) {
    NearCache near = near();
    if (near == null) {
      return router.send(new GetOperation<>(format, bytes(key)));
    }
    CompletableFuture<@Nullable MetadataValue<V>> found = near.getAsync(format, bytes(key));
    return found.thenApply(value -> value == null ? null : value.value());
  }

  /** The value of a key, or another one if there is none. */
  public V getOrDefault(K key, V other) {
    V value = get(key);
    return value == null ? other : value;
  }

  /** The value of a key with version and times, or null if there is none. */
  public @Nullable MetadataValue<V> getWithMetadata(K key) {
    NearCache near = near();
    return near != null
        ? near.get(format, bytes(key))
        : Answers.await(router.send(new GetWithMetadataOperation<V>(format, bytes(key))));
  }

  /** As {@link #getWithMetadata}. */
  public CompletableFuture<@Nullable MetadataValue<V>> getWithMetadataAsync(K key) {
    NearCache near = near();
    return near != null
        ? near.getAsync(format, bytes(key))
        : router.send(new GetWithMetadataOperation<>(format, bytes(key)));
  }

  /** Whether there is an entry of a key. */
  public boolean containsKey(K key) {
    return Answers.await(router.send(new ContainsKeyOperation(format, bytes(key))));
  }

  /** As {@link #containsKey}. */
  public CompletableFuture<Boolean> containsKeyAsync(K key) {
    return router.send(new ContainsKeyOperation(format, bytes(key)));
  }

  /** The values of those of the keys that have one; a request for each server, at once. */
  public Map<K, V> getAll(Set<? extends K> keys) {
    return Answers.awaitAll(getAllAsync(keys));
  }

  /** As {@link #getAll}. */
  public CompletableFuture<Map<K, V>> getAllAsync(Set<? extends K> keys) {
    return new BulkRequests<K, V>(router, format).getAll(keys);
  }

  // ---- writes ---------------------------------------------------------------------------------

  private Operation<@Nullable V> write(int opcode, K key, @Nullable WrittenValue value) {
    return router.send(new WriteOperation.Returning<>(format, bytes(key), opcode, value));
  }

  private WrittenValue written(V value, Lifetime lifetime) {
    Objects.requireNonNull(value, "value");
    return WrittenValue.of(format.values(), value, lifetime);
  }

  /** The same for who goes on before it is written. */
  private WrittenValue owned(V value, Lifetime lifetime) {
    return written(value, lifetime).ownedUntilWritten(router.copies());
  }

  /** Stores a value. */
  public @Nullable V put(K key, V value) {
    return Answers.await(write(Opcodes.PUT, key, written(value, Lifetime.DEFAULT)));
  }

  /** Stores a value for a time. */
  public @Nullable V put(K key, V value, long lifespan, TimeUnit unit) {
    return Answers.await(write(Opcodes.PUT, key, written(value, Lifetime.of(lifespan, unit))));
  }

  /** Stores a value for a time, or until it is not used for some time. */
  // tidy: the parameters that users know
  public @Nullable V put(
      K key, V value, long lifespan, TimeUnit unit, long maxIdle, TimeUnit maxIdleUnit) {
    Lifetime lifetime = new Lifetime(lifespan, unit, maxIdle, maxIdleUnit);
    return Answers.await(write(Opcodes.PUT, key, written(value, lifetime)));
  }

  /** As {@link #put}. */
  public CompletableFuture<@Nullable V> putAsync(K key, V value) {
    return write(Opcodes.PUT, key, owned(value, Lifetime.DEFAULT));
  }

  /** As {@link #put}. */
  public CompletableFuture<@Nullable V> putAsync(K key, V value, long lifespan, TimeUnit unit) {
    return write(Opcodes.PUT, key, owned(value, Lifetime.of(lifespan, unit)));
  }

  /** As {@link #put}. */
  // tidy: the parameters that users know
  public CompletableFuture<@Nullable V> putAsync(
      K key, V value, long lifespan, TimeUnit unit, long maxIdle, TimeUnit maxIdleUnit) {
    Lifetime lifetime = new Lifetime(lifespan, unit, maxIdle, maxIdleUnit);
    return write(Opcodes.PUT, key, owned(value, lifetime));
  }

  /** Stores a value unless there is one. Without the flag it returns null in any case. */
  public @Nullable V putIfAbsent(K key, V value) {
    return Answers.await(write(Opcodes.PUT_IF_ABSENT, key, written(value, Lifetime.DEFAULT)));
  }

  /** As {@link #putIfAbsent(Object, Object)}, for a time. */
  public @Nullable V putIfAbsent(K key, V value, long lifespan, TimeUnit unit) {
    Lifetime lifetime = Lifetime.of(lifespan, unit);
    return Answers.await(write(Opcodes.PUT_IF_ABSENT, key, written(value, lifetime)));
  }

  /** As {@link #putIfAbsent(Object, Object)}. */
  public CompletableFuture<@Nullable V> putIfAbsentAsync(K key, V value) {
    return write(Opcodes.PUT_IF_ABSENT, key, owned(value, Lifetime.DEFAULT));
  }

  /** As {@link #putIfAbsent(Object, Object)}, for a time. */
  public CompletableFuture<@Nullable V> putIfAbsentAsync(
      K key, V value, long lifespan, TimeUnit unit) {
    return write(Opcodes.PUT_IF_ABSENT, key, owned(value, Lifetime.of(lifespan, unit)));
  }

  /** Stores a value if there is one. Without the flag it returns null in any case. */
  public @Nullable V replace(K key, V value) {
    return Answers.await(write(Opcodes.REPLACE, key, written(value, Lifetime.DEFAULT)));
  }

  /** As {@link #replace(Object, Object)}, for a time. */
  public @Nullable V replace(K key, V value, long lifespan, TimeUnit unit) {
    return Answers.await(write(Opcodes.REPLACE, key, written(value, Lifetime.of(lifespan, unit))));
  }

  /** As {@link #replace(Object, Object)}. */
  public CompletableFuture<@Nullable V> replaceAsync(K key, V value) {
    return write(Opcodes.REPLACE, key, owned(value, Lifetime.DEFAULT));
  }

  /**
   * Stores a value if there is an equal one to the other; arrays are equal if their elements are.
   * Two round trips, more if others write meanwhile.
   */
  public boolean replace(K key, V oldValue, V newValue) {
    MetadataValue<V> found = getWithMetadata(key);
    while (found != null && Objects.deepEquals(found.value(), oldValue)) {
      if (replaceWithVersion(key, newValue, found.version())) {
        return true;
      }
      found = getWithMetadata(key);
    }
    return false;
  }

  /** Stores a value if the entry has this version. */
  public boolean replaceWithVersion(K key, V value, long version) {
    WrittenValue written = written(value, Lifetime.DEFAULT);
    return Answers.await(
        router.send(new WriteOperation.Versioned(format, bytes(key), written, version)));
  }

  /** Stores a value for a time if the entry has this version; see {@link #put}. */
  // tidy: the parameters that users know
  public boolean replaceWithVersion(
      K key, V value, long version, long lifespan, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
    WrittenValue written = written(value, new Lifetime(lifespan, unit, maxIdle, idleUnit));
    return Answers.await(
        router.send(new WriteOperation.Versioned(format, bytes(key), written, version)));
  }

  /** As {@link #replaceWithVersion(Object, Object, long)}. */
  public CompletableFuture<Boolean> replaceWithVersionAsync(K key, V value, long version) {
    WrittenValue written = owned(value, Lifetime.DEFAULT);
    return router.send(new WriteOperation.Versioned(format, bytes(key), written, version));
  }

  /** Removes an entry. */
  public @Nullable V remove(K key) {
    return Answers.await(write(Opcodes.REMOVE, key, null));
  }

  /** As {@link #remove(Object)}. */
  public CompletableFuture<@Nullable V> removeAsync(K key) {
    return write(Opcodes.REMOVE, key, null);
  }

  /** Removes an entry if it has an equal value; see {@link #replace(Object, Object, Object)}. */
  public boolean remove(K key, V value) {
    MetadataValue<V> found = getWithMetadata(key);
    while (found != null && Objects.deepEquals(found.value(), value)) {
      if (removeWithVersion(key, found.version())) {
        return true;
      }
      found = getWithMetadata(key);
    }
    return false;
  }

  /** Removes an entry if it has this version. */
  public boolean removeWithVersion(K key, long version) {
    return Answers.await(
        router.send(new WriteOperation.Versioned(format, bytes(key), null, version)));
  }

  /** As {@link #removeWithVersion}. */
  public CompletableFuture<Boolean> removeWithVersionAsync(K key, long version) {
    return router.send(new WriteOperation.Versioned(format, bytes(key), null, version));
  }

  /** Stores all of a map; a request or more for each server, at once; not atomic. */
  public void putAll(Map<? extends K, ? extends V> entries) {
    Answers.awaitAll(putAllAsync(entries));
  }

  /** As {@link #putAll(Map)}, for a time. */
  public void putAll(Map<? extends K, ? extends V> entries, long lifespan, TimeUnit unit) {
    Answers.awaitAll(putAllAsync(entries, lifespan, unit));
  }

  /** As {@link #putAll(Map)}. */
  public CompletableFuture<Void> putAllAsync(Map<? extends K, ? extends V> entries) {
    return new BulkRequests<K, V>(router, format).putAll(entries, Lifetime.DEFAULT);
  }

  /** As {@link #putAll(Map)}, for a time. */
  public CompletableFuture<Void> putAllAsync(
      Map<? extends K, ? extends V> entries, long lifespan, TimeUnit unit) {
    return new BulkRequests<K, V>(router, format).putAll(entries, Lifetime.of(lifespan, unit));
  }

  // ---- views ----------------------------------------------------------------------------------

  /** The same entries with values that are read and written portion by portion. */
  public StreamingRemoteCache<K> streaming() {
    return streaming(StreamingRemoteCache.PORTION_BYTES);
  }

  /**
   * As {@link #streaming()}.
   *
   * @param portionBytes 1 to {@value StreamingRemoteCache#PORTION_BYTES_MAX}
   */
  public StreamingRemoteCache<K> streaming(int portionBytes) {
    return new StreamingRemoteCache<>(router, format, portionBytes);
  }

  /** For {@link RemoteMultimapCacheManager}. */
  RemoteMultimapCache<K, V> multimap(boolean supportsDuplicates) {
    return new RemoteMultimapCache<>(router, format, supportsDuplicates);
  }

  // ---- contents -------------------------------------------------------------------------------

  private CacheViews<K, V> views() {
    return new CacheViews<>(this, router, format);
  }

  /** The keys. */
  public CloseableIteratorSet<K> keySet() {
    return views().keySet(null);
  }

  /** The keys of some segments, or of all if null is given. */
  public CloseableIteratorSet<K> keySet(@Nullable Set<Integer> segments) {
    return views().keySet(segments);
  }

  /** The entries. */
  public CloseableIteratorSet<Map.Entry<K, V>> entrySet() {
    return views().entrySet(null);
  }

  /** The entries of some segments, or of all if null is given. */
  public CloseableIteratorSet<Map.Entry<K, V>> entrySet(@Nullable Set<Integer> segments) {
    return views().entrySet(segments);
  }

  /** The values. */
  public CloseableIteratorCollection<V> values() {
    return views().values(null);
  }

  /** The values of some segments, or of all if null is given. */
  public CloseableIteratorCollection<V> values(@Nullable Set<Integer> segments) {
    return views().values(segments);
  }

  /** All entries; so many are fetched at once. */
  public CloseableIterator<Map.Entry<K, V>> retrieveEntries(int batchSize) {
    return retrieveEntries(null, null, batchSize);
  }

  /**
   * The entries of some segments, or of all if null is given.
   *
   * @param factory the name of the servers' filter and converter, or null for none
   */
  public CloseableIterator<Map.Entry<K, V>> retrieveEntries(
      @Nullable String factory, @Nullable Set<Integer> segments, int batchSize) {
    CacheViews<K, V> views = views();
    return views.iterator(views.query(factory, null, segments, batchSize), views::entry);
  }

  /** As {@link #retrieveEntries(String, Set, int)}, with versions and times. */
  public CloseableIterator<Map.Entry<K, MetadataValue<V>>> retrieveEntriesWithMetadata(
      @Nullable Set<Integer> segments, int batchSize) {
    CacheViews<K, V> views = views();
    return views.iterator(
        views.query(null, null, segments, batchSize).withMetadata(), views::entryWithMetadata);
  }

  /**
   * Publishes entries, to each subscriber anew, in no order. Several servers are asked at the same
   * time, {@link ClientConfig#iterationServers} at most, each for one batch ahead; the next one is
   * fetched when that was taken. Signals come one after the other from threads of the client that
   * may be made to wait; a subscriber that does not take all is to cancel.
   *
   * @param factory the name of the servers' filter and converter, or null for none
   * @param parameters what the factory needs, or null
   * @param segments the wanted ones, or null for all
   */
  public Flow.Publisher<Map.Entry<K, V>> publishEntries(
      @Nullable String factory,
      Object @Nullable [] parameters,
      @Nullable Set<Integer> segments,
      int batchSize) {
    CacheViews<K, V> views = views();
    return views.publisher(views.query(factory, parameters, segments, batchSize), views::entry);
  }

  /** As {@link #publishEntries}, with versions and times. */
  public Flow.Publisher<Map.Entry<K, MetadataValue<V>>> publishEntriesWithMetadata(
      @Nullable Set<Integer> segments, int batchSize) {
    CacheViews<K, V> views = views();
    return views.publisher(
        views.query(null, null, segments, batchSize).withMetadata(), views::entryWithMetadata);
  }

  // ---- listeners ------------------------------------------------------------------------------

  /**
   * Registers a listener for all events; see {@link #addClientListener(EntryListener,
   * ListenerOptions)}.
   */
  public void addClientListener(EntryListener<K, V> listener) {
    addClientListener(listener, ListenerOptions.DEFAULT);
  }

  /**
   * Registers a listener: it hears of all changes of the cache that are made after this has
   * returned, whoever makes them. When its connection is lost it is registered at another server,
   * and told so; with {@link ListenerOptions#withState} it is then told all entries again.
   *
   * @throws IllegalArgumentException if it is registered already
   * @throws HotRodClientException if no server takes it
   */
  public void addClientListener(EntryListener<K, V> listener, ListenerOptions options) {
    register(listener, listener, options);
  }

  /** Registers an object of a class marked with {@link ClientListener}, or an EntryListener. */
  public void addClientListener(Object listener) {
    addClientListener(listener, new Object[0], new Object[0]);
  }

  /**
   * As {@link #addClientListener(Object)}, with what the servers' factories need.
   *
   * @throws IllegalArgumentException if it is registered already, or its methods don't fit
   */
  @SuppressWarnings("unchecked") // the user says what the cache holds
  public void addClientListener(
      Object listener, Object[] filterParameters, Object[] converterParameters) {
    if (listener instanceof EntryListener<?, ?> ours) {
      addClientListener((EntryListener<K, V>) ours);
      return;
    }
    AnnotatedListener<K, V> called = new AnnotatedListener<>(listener);
    ListenerOptions options = called.options(filterParameters, converterParameters);
    register(listener, called, options);
  }

  private void register(Object user, EntryListener<K, V> told, ListenerOptions options) {
    ListenerQueue<K, V> queue = new ListenerQueue<>(router, format.withFlags(0), told, options);
    format.cache().listeners().add(user, queue);
  }

  /** Ends a listener; nothing happens if it is not registered. Does not wait. */
  public void removeClientListener(Object listener) {
    format.cache().listeners().remove(listener);
  }

  /** The listeners of this client on the cache. */
  public Set<Object> listeners() {
    Set<Object> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(format.cache().listeners().all());
    return all;
  }

  // ---- the whole cache ------------------------------------------------------------------------

  /** The number of entries in the cluster; {@link Integer#MAX_VALUE} if there are more. */
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, Answers.await(router.send(new SizeOperation(format))));
  }

  /** The number of entries in the cluster. */
  public CompletableFuture<Long> sizeAsync() {
    return router.send(new SizeOperation(format));
  }

  /** Whether there are no entries. */
  public boolean isEmpty() {
    return size() == 0;
  }

  /** Removes all entries. */
  public void clear() {
    Answers.await(router.send(new ClearOperation(format)));
  }

  /** As {@link #clear}. */
  public CompletableFuture<@Nullable Void> clearAsync() {
    return router.send(new ClearOperation(format));
  }

  /** What this client did with the cache. */
  public ClientStatistics clientStatistics() {
    CacheRef cache = format.cache();
    return ClientStatistics.of(cache.counts(), cache.near());
  }

  /** A server's statistics of the cache, by name; numbers as text. */
  public Map<String, String> serverStatistics() {
    return Answers.await(router.send(new StatsOperation(format)));
  }
}
