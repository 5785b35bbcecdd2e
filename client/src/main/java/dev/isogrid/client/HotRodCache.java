package dev.isogrid.client;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.Subscription;
import dev.isogrid.wire.Opcodes;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cache that is reached by Hot Rod. {@link RemoteCache} describes its operations. */
@SuppressWarnings("unchecked") // the user says what the cache holds, and a key may be any object
final class HotRodCache<K, V> implements RemoteCache<K, V> {
  /*
   * One class, since it implements one interface of users: each method makes an operation of its
   * arguments in a few lines, and longer code is in other classes.
   */
  private static final int FLAG_COMBINATIONS = 1 << Flag.values().length;

  private final Router router;
  private final RequestFormat format;

  /** The same for writes whose result is the value before. */
  private final RequestFormat returning;

  /** The instances for all combinations of flags, made as they are asked for; shared by all. */
  private final AtomicReferenceArray<HotRodCache<K, V>> byFlags;

  HotRodCache(Router router, RequestFormat format) {
    this(router, format, new AtomicReferenceArray<>(FLAG_COMBINATIONS));
    byFlags.set(format.flags(), this);
  }

  private HotRodCache(
      Router router, RequestFormat format, AtomicReferenceArray<HotRodCache<K, V>> byFlags) {
    this.router = router;
    this.format = format;
    this.returning = format.withFlags(format.flags() | Flag.FORCE_RETURN_VALUE.bit());
    this.byFlags = byFlags;
  }

  @Override
  public String getName() {
    return format.cache().name();
  }

  @Override
  public String toString() {
    return "RemoteCache[name=" + getName() + "]";
  }

  // ---- flags ----------------------------------------------------------------------------------

  @Override
  public RemoteCache<K, V> withFlags(Flag... flags) {
    int bits = format.flags();
    for (Flag flag : Objects.requireNonNull(flags, "flags")) {
      bits |= flag.bit();
    }
    return withBits(bits);
  }

  @Override
  public RemoteCache<K, V> noFlags() {
    return withBits(0);
  }

  private HotRodCache<K, V> withBits(int bits) {
    HotRodCache<K, V> known = byFlags.get(bits);
    if (known != null) {
      return known;
    }
    byFlags.compareAndSet(bits, null, new HotRodCache<>(router, format.withFlags(bits), byFlags));
    return byFlags.get(bits);
  }

  @Override
  public Set<Flag> flags() {
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    for (Flag flag : Flag.values()) {
      if ((format.flags() & flag.bit()) != 0) {
        flags.add(flag);
      }
    }
    return Collections.unmodifiableSet(flags);
  }

  @Override
  public <T, U> RemoteCache<T, U> withDataFormat(DataFormat other) {
    Objects.requireNonNull(other, "other");
    ObjectFormat keys = router.formats().of(other.keys());
    ObjectFormat values = router.formats().of(other.values());
    return new HotRodCache<>(router, format.withFormats(keys, values));
  }

  // ---- reads ----------------------------------------------------------------------------------

  private byte[] bytes(Object key) {
    return format.keys().keyBytes(Objects.requireNonNull(key, "key"));
  }

  /** The near cache, if this instance may use it. */
  private @Nullable NearCache near() {
    NearCache near = format.cache().near();
    return near != null && near.isFor(format) ? near : null;
  }

  @Override
  public @Nullable V get(Object key) {
    NearCache near = near();
    if (near == null) {
      return router.call(new GetOperation<V>(format, bytes(key)));
    }
    MetadataValue<V> found = near.get(format, bytes(key));
    return found == null ? null : found.value();
  }

  @Override
  public CompletableFuture<@Nullable V> getAsync(K key) {
    NearCache near = near();
    if (near == null) {
      return router.send(new GetOperation<>(format, bytes(key)));
    }
    CompletableFuture<@Nullable MetadataValue<V>> found = near.getAsync(format, bytes(key));
    return found.thenApply(value -> value == null ? null : value.value());
  }

  @Override
  public V getOrDefault(Object key, V other) {
    V value = get(key);
    return value == null ? other : value;
  }

  @Override
  public @Nullable MetadataValue<V> getWithMetadata(K key) {
    NearCache near = near();
    return near != null ? near.get(format, bytes(key)) : readAtServer(key);
  }

  /** As {@link #getWithMetadata}, past the near cache. */
  @Nullable MetadataValue<V> readAtServer(K key) {
    return router.call(new GetWithMetadataOperation<V>(format, bytes(key)));
  }

  @Override
  public CompletableFuture<@Nullable MetadataValue<V>> getWithMetadataAsync(K key) {
    NearCache near = near();
    return near != null
        ? near.getAsync(format, bytes(key))
        : router.send(new GetWithMetadataOperation<>(format, bytes(key)));
  }

  @Override
  public boolean containsKey(Object key) {
    return router.call(new ContainsKeyOperation(format, bytes(key)));
  }

  @Override
  public CompletableFuture<Boolean> containsKeyAsync(K key) {
    return router.send(new ContainsKeyOperation(format, bytes(key)));
  }

  @Override
  public boolean containsValue(Object value) {
    return values().contains(Objects.requireNonNull(value, "value"));
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    return Answers.awaitAll(getAllAsync(keys));
  }

  @Override
  public CompletableFuture<Map<K, V>> getAllAsync(Set<? extends K> keys) {
    return new BulkRequests<K, V>(router, format).getAll(keys);
  }

  // ---- writes ---------------------------------------------------------------------------------

  private Operation<@Nullable V> writing(int opcode, Object key, @Nullable WrittenValue value) {
    RequestFormat asked = opcode == Opcodes.PUT ? format : returning;
    return new WriteOperation.Returning<>(asked, bytes(key), opcode, value);
  }

  private @Nullable V write(int opcode, Object key, @Nullable WrittenValue value) {
    return router.call(writing(opcode, key, value));
  }

  private WrittenValue written(V value, Lifetime lifetime) {
    Objects.requireNonNull(value, "value");
    return WrittenValue.of(format.values(), value, lifetime);
  }

  /** The same for callers that continue before it is written. */
  private WrittenValue owned(V value, Expiry expiry) {
    return written(value, Lifetime.of(expiry)).ownedUntilWritten(router.copies());
  }

  @Override
  public @Nullable V put(K key, V value) {
    return write(Opcodes.PUT, key, written(value, Lifetime.DEFAULT));
  }

  @Override
  public @Nullable V put(K key, V value, Expiry expiry) {
    return write(Opcodes.PUT, key, written(value, Lifetime.of(expiry)));
  }

  @Override
  public CompletableFuture<@Nullable V> putAsync(K key, V value, Expiry expiry) {
    return router.send(writing(Opcodes.PUT, key, owned(value, expiry)));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return putIfAbsent(key, value, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value, Expiry expiry) {
    return write(Opcodes.PUT_IF_ABSENT, key, written(value, Lifetime.of(expiry)));
  }

  @Override
  public CompletableFuture<@Nullable V> putIfAbsentAsync(K key, V value, Expiry expiry) {
    return router.send(writing(Opcodes.PUT_IF_ABSENT, key, owned(value, expiry)));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return replace(key, value, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V replace(K key, V value, Expiry expiry) {
    return write(Opcodes.REPLACE, key, written(value, Lifetime.of(expiry)));
  }

  @Override
  public CompletableFuture<@Nullable V> replaceAsync(K key, V value, Expiry expiry) {
    return router.send(writing(Opcodes.REPLACE, key, owned(value, expiry)));
  }

  @Override
  public boolean replaceWithVersion(K key, V value, long version, Expiry expiry) {
    WrittenValue written = written(value, Lifetime.of(expiry));
    return router.call(new WriteOperation.Versioned(format, bytes(key), written, version));
  }

  @Override
  public boolean replaceWithVersion(K key, V value, long version, Instant end) {
    WrittenValue written = written(value, Lifetime.until(Objects.requireNonNull(end, "end")));
    return router.call(new WriteOperation.Versioned(format, bytes(key), written, version));
  }

  @Override
  public CompletableFuture<Boolean> replaceWithVersionAsync(K key, V value, long version) {
    WrittenValue written = owned(value, Expiry.DEFAULT);
    return router.send(new WriteOperation.Versioned(format, bytes(key), written, version));
  }

  @Override
  public @Nullable V remove(Object key) {
    return write(Opcodes.REMOVE, key, null);
  }

  @Override
  public CompletableFuture<@Nullable V> removeAsync(K key) {
    return router.send(writing(Opcodes.REMOVE, key, null));
  }

  @Override
  public boolean removeWithVersion(K key, long version) {
    return router.call(new WriteOperation.Versioned(format, bytes(key), null, version));
  }

  @Override
  public CompletableFuture<Boolean> removeWithVersionAsync(K key, long version) {
    return router.send(new WriteOperation.Versioned(format, bytes(key), null, version));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    putAll(entries, Expiry.DEFAULT);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries, Expiry expiry) {
    Answers.awaitAll(putAllAsync(entries, expiry));
  }

  @Override
  public CompletableFuture<@Nullable Void> putAllAsync(
      Map<? extends K, ? extends V> entries, Expiry expiry) {
    return new BulkRequests<K, V>(router, format).putAll(entries, Lifetime.of(expiry));
  }

  // ---- writes that depend on the current value ------------------------------------------------

  private OptimisticChange<K, V> change(String operation, Expiry expiry) {
    return new OptimisticChange<>(this, operation, Objects.requireNonNull(expiry, "expiry"));
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return replace(key, oldValue, newValue, Expiry.DEFAULT);
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue, Expiry expiry) {
    return change("replace", expiry).replaceIfEqual(key, oldValue, newValue);
  }

  @Override
  public CompletableFuture<Boolean> replaceAsync(K key, V oldValue, V newValue) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    return router.callbacks().supply(() -> replace(key, oldValue, newValue));
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    Objects.requireNonNull(key, "key");
    return value != null && change("remove", Expiry.DEFAULT).removeIfEqual((K) key, value);
  }

  /**
   * Returns whether a value that was read is the expected one: an equal one, with arrays equal by
   * their elements, or one of the same bytes, since a record with an array equals no other.
   */
  boolean isEqual(Object expected, @Nullable Object value) {
    if (Objects.deepEquals(expected, value)) {
      return true;
    }
    return value != null
        && value.getClass().equals(expected.getClass())
        && Arrays.equals(format.values().bytes(expected), format.values().bytes(value));
  }

  @Override
  public CompletableFuture<Boolean> removeAsync(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return router.callbacks().supply(() -> remove(key, value));
  }

  @Override
  public @Nullable V computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mapping, Expiry expiry) {
    return change("computeIfAbsent", expiry).computeIfAbsent(key, mapping);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping, Expiry expiry) {
    return change("computeIfPresent", expiry).computeIfPresent(key, remapping);
  }

  @Override
  public @Nullable V compute(
      K key,
      BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping,
      Expiry expiry) {
    return change("compute", expiry).compute(key, remapping);
  }

  @Override
  public @Nullable V merge(
      K key,
      V value,
      BiFunction<? super V, ? super V, ? extends @Nullable V> remapping,
      Expiry expiry) {
    return change("merge", expiry).merge(key, value, remapping);
  }

  @Override
  public CompletableFuture<@Nullable V> computeIfAbsentAsync(
      K key, Function<? super K, ? extends @Nullable V> mapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(mapping, "mapping");
    return router.callbacks().<@Nullable V>supply(() -> computeIfAbsent(key, mapping));
  }

  @Override
  public CompletableFuture<@Nullable V> computeIfPresentAsync(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(remapping, "remapping");
    return router.callbacks().<@Nullable V>supply(() -> computeIfPresent(key, remapping));
  }

  @Override
  public CompletableFuture<@Nullable V> computeAsync(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(remapping, "remapping");
    return router.callbacks().<@Nullable V>supply(() -> compute(key, remapping));
  }

  @Override
  public CompletableFuture<@Nullable V> mergeAsync(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(remapping, "remapping");
    return router.callbacks().<@Nullable V>supply(() -> merge(key, value, remapping));
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    OptimisticChange<K, V> change = change("replaceAll", Expiry.DEFAULT);
    try (CloseableIterator<K> keys = keySet().iterator()) {
      while (keys.hasNext()) {
        change.computeIfPresent(
            keys.next(),
            (key, value) -> Objects.requireNonNull(function.apply(key, value), "value"));
      }
    }
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    try (CloseableIterator<Map.Entry<K, V>> entries = entrySet().iterator()) {
      while (entries.hasNext()) {
        Map.Entry<K, V> entry = entries.next();
        action.accept(entry.getKey(), entry.getValue());
      }
    }
  }

  // ---- tasks ----------------------------------------------------------------------------------

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // the caller says what the task gives
  public <T> @Nullable T execute(String task, Map<String, ?> arguments) {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(arguments, "arguments");
    return router.call(TaskOperation.<T>of(format, task, arguments));
  }

  @Override
  public <T> CompletableFuture<@Nullable T> executeAsync(String task, Map<String, ?> arguments) {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(arguments, "arguments");
    return router.send(TaskOperation.of(format, task, arguments));
  }

  // ---- views ----------------------------------------------------------------------------------

  @Override
  public StreamingRemoteCache<K> streaming() {
    return streaming(StreamingRemoteCache.PORTION_BYTES);
  }

  @Override
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

  @Override
  public CloseableIteratorSet<K> keySet() {
    return views().keySet(null);
  }

  @Override
  public CloseableIteratorSet<K> keySet(@Nullable Set<Integer> segments) {
    return views().keySet(segments);
  }

  @Override
  public CloseableIteratorSet<Map.Entry<K, V>> entrySet() {
    return views().entrySet(null);
  }

  @Override
  public CloseableIteratorSet<Map.Entry<K, V>> entrySet(@Nullable Set<Integer> segments) {
    return views().entrySet(segments);
  }

  @Override
  public CloseableIteratorCollection<V> values() {
    return views().values(null);
  }

  @Override
  public CloseableIteratorCollection<V> values(@Nullable Set<Integer> segments) {
    return views().values(segments);
  }

  @Override
  public CloseableIterator<Map.Entry<K, V>> retrieveEntries(
      @Nullable String factory, @Nullable Set<Integer> segments, int batchSize) {
    CacheViews<K, V> views = views();
    return views.iterator(views.query(factory, null, segments, batchSize), views::entry);
  }

  @Override
  public CloseableIterator<Map.Entry<K, MetadataValue<V>>> retrieveEntriesWithMetadata(
      @Nullable Set<Integer> segments, int batchSize) {
    CacheViews<K, V> views = views();
    return views.iterator(
        views.query(null, null, segments, batchSize).withMetadata(), views::entryWithMetadata);
  }

  @Override
  public Flow.Publisher<Map.Entry<K, V>> publishEntries(
      @Nullable String factory,
      Object @Nullable [] parameters,
      @Nullable Set<Integer> segments,
      int batchSize) {
    CacheViews<K, V> views = views();
    return views.publisher(views.query(factory, parameters, segments, batchSize), views::entry);
  }

  @Override
  public Flow.Publisher<Map.Entry<K, MetadataValue<V>>> publishEntriesWithMetadata(
      @Nullable Set<Integer> segments, int batchSize) {
    CacheViews<K, V> views = views();
    return views.publisher(
        views.query(null, null, segments, batchSize).withMetadata(), views::entryWithMetadata);
  }

  // ---- listeners ------------------------------------------------------------------------------

  @Override
  public Subscription addListener(EntryListener<K, V> listener, ListenerOptions options) {
    ListenerQueue<K, V> queue = register(listener, listener, options);
    return () -> format.cache().listeners().remove(listener, queue);
  }

  @Override
  public void addClientListener(EntryListener<K, V> listener, ListenerOptions options) {
    register(listener, listener, options);
  }

  @Override
  public void addClientListener(
      Object listener, Object[] filterParameters, Object[] converterParameters) {
    if (listener instanceof EntryListener<?, ?> ours) {
      addClientListener((EntryListener<K, V>) ours);
      return;
    }
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(filterParameters, "filterParameters");
    Objects.requireNonNull(converterParameters, "converterParameters");
    AnnotatedListener<K, V> called = new AnnotatedListener<>(listener);
    ListenerOptions options = called.options(filterParameters, converterParameters);
    register(listener, called, options);
  }

  private ListenerQueue<K, V> register(
      Object user, EntryListener<K, V> told, ListenerOptions options) {
    Objects.requireNonNull(user, "listener");
    Objects.requireNonNull(options, "options");
    ListenerQueue<K, V> queue = new ListenerQueue<>(router, format.withFlags(0), told, options);
    format.cache().listeners().add(user, queue);
    return queue;
  }

  @Override
  public void removeClientListener(Object listener) {
    format.cache().listeners().remove(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public Set<Object> listeners() {
    Set<Object> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(format.cache().listeners().all());
    return all;
  }

  // ---- the whole cache ------------------------------------------------------------------------

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, router.call(new SizeOperation(format)));
  }

  @Override
  public CompletableFuture<Long> sizeAsync() {
    return router.send(new SizeOperation(format));
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public void clear() {
    router.call(new ClearOperation(format));
  }

  @Override
  public CompletableFuture<@Nullable Void> clearAsync() {
    return router.send(new ClearOperation(format));
  }

  @Override
  public ClientStatistics clientStatistics() {
    CacheRef cache = format.cache();
    return ClientStatistics.of(cache.counts(), cache.near());
  }

  @Override
  public Map<String, String> serverStatistics() {
    return router.call(new StatsOperation(format));
  }
}
