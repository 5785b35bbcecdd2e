package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheChanges;
import dev.isogrid.api.CacheCollection;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.CacheSet;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.EntryBytes;
import dev.isogrid.api.EntryFilter;
import dev.isogrid.api.EntryProcessor;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LoadingCache;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreStats;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.BackingStore;
import dev.isogrid.engine.Bulk;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.Claims;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.LoadClaim;
import dev.isogrid.engine.LocalEngine;
import dev.isogrid.mapreduce.MapSource;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import dev.isogrid.store.UserMutation;
import dev.isogrid.stream.EntryPart;
import dev.isogrid.stream.StreamCache;
import dev.isogrid.stream.Streams;
import dev.isogrid.topology.NodeId;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The embedded API over an engine. {@link Cache} describes the operations; here they become reads
 * and mutations.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
final class EmbeddedCache<K, V, S, T> extends AsyncOperations<K, V> {
  /*
   * One class, since the API is one interface: each method turns its arguments into a read, a
   * mutation or a bulk, in a few lines, and whatever is more than that is in a class of its own.
   */
  private static final CacheStats NO_STATS = new CacheStats(0, 0, 0, 0, 0, 0, 0, 0);

  private final CacheEngine<S, T> engine;
  private final Edge<K, V, S, T> edge;
  private final Supplier<Streams> streams;
  private final ListenerHub<K, V, S, T> hub;
  private final ObjectShipping shipping;
  private final ReentrantLock hubLock = new ReentrantLock();

  /** Reads entries that are loaded anew when they are old; null in all other caches. */
  private final @Nullable EmbeddedLoading<K, V> refreshing;

  /** That of the hub at the engine while there are listeners, else null. Guarded by the lock. */
  private @Nullable Subscription hubSubscription;

  EmbeddedCache(
      CacheEngine<S, T> engine, Edge<K, V, S, T> edge, Supplier<Streams> streams, Env env) {
    super(env.scheduler(), engine.mayWait());
    this.engine = engine;
    this.streams = streams;
    this.shipping = new ObjectShipping(() -> streams.get().objects());
    this.edge = edge;
    this.hub =
        new ListenerHub<>(edge, engine.segmentCount(), env.scheduler(), engine.isClustered());
    this.refreshing = refreshing(engine);
  }

  private @Nullable EmbeddedLoading<K, V> refreshing(CacheEngine<S, T> engine) {
    StoreConfig store = engine.config().store();
    boolean isRefreshed = store != null && store.loading().refreshAfterWriteMillis() >= 0;
    BackingStore<S, T> backing =
        engine instanceof LocalEngine<S, T> local && isRefreshed ? local.backing() : null;
    return store == null || backing == null
        ? null
        : new EmbeddedLoading<>(
            this, new StoreReloads<>(backing), store.loading(), engine::nowMillis);
  }

  /** The entries, and how they become the user's objects. */
  @SuppressWarnings("unchecked") // keys that the user gives are of the user's type
  MapSource<S, T> mapSource() {
    return new MapSource<>(
        engine,
        key -> edge.storedKey((K) key),
        edge::hash,
        edge::key,
        edge::value,
        engine.config().storage() != StorageType.HEAP_OBJECT);
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public CacheConfig config() {
    return edge.shown(engine.config());
  }

  @Override
  public String toString() {
    return "Cache[name=" + name() + "]";
  }

  // Reads

  @Override
  public @Nullable V get(Object key) {
    EmbeddedLoading<K, V> aged = refreshing;
    return aged == null ? edge.get(engine, user(key)) : aged.getIfPresent(user(key));
  }

  @Override
  public boolean containsKey(Object key) {
    Taken<Object> ignored = new Taken<>(entry -> entry);
    return read(key, ignored) != null;
  }

  @Override
  public @Nullable CacheEntry<K, V> getEntry(K key) {
    return read(key, new Taken<>(this::entry));
  }

  /** Takes something out of a window. */
  private final class Taken<R> implements EntryReader<S, T> {
    private final Function<EntryView<S, T>, R> taking;
    private @Nullable R result;

    Taken(Function<EntryView<S, T>, R> taking) {
      this.taking = taking;
    }

    @Override
    public void read(EntryView<S, T> entry) {
      result = taking.apply(entry);
    }
  }

  @SuppressWarnings("unchecked") // as in every Map: a key of another type is in no entry
  private K user(Object key) {
    return (K) Objects.requireNonNull(key, "key");
  }

  private S storedKey(Object key) {
    return edge.storedKey(user(key));
  }

  private <R> @Nullable R read(Object key, Taken<R> taken) {
    S stored = storedKey(key);
    return engine.read(stored, edge.hash(stored), engine.newView(), taken) ? taken.result : null;
  }

  /** The key that a window shows, as its user has it. */
  K key(EntryView<S, T> view) {
    return edge.key(view.key());
  }

  /** The engine that keeps the entries. */
  CacheEngine<S, T> engine() {
    return engine;
  }

  /** How the cache keeps the objects of its users. */
  Edge<K, V, S, T> edge() {
    return edge;
  }

  CacheEntry<K, V> entry(EntryView<S, T> view) {
    return new CacheEntry<>(
        edge.key(view.key()),
        edge.value(view.value()),
        view.version(),
        view.createdMillis(),
        view.lifespanMillis(),
        view.lastUsedMillis(),
        view.maxIdleMillis());
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    Objects.requireNonNull(keys, "keys");
    Map<K, V> found = HashMap.newHashMap(keys.size());
    Bulk<S, T> bulk = engine.bulk();
    for (K key : keys) {
      S stored = storedKey(key);
      int hash = edge.hash(stored);
      if (engine.mayWait(hash, true)) {
        bulk.read(stored, hash, entry -> found.put(key, edge.value(entry.value())));
        continue;
      }
      V value = edge.get(engine, key);
      if (value != null) {
        found.put(key, value);
      }
    }
    bulk.await();
    return found;
  }

  /** The segment that a key is in. */
  int segmentOf(Object key) {
    return engine.segmentOf(edge.hash(storedKey(key)));
  }

  /** The number of segments. */
  int segmentCount() {
    return engine.segmentCount();
  }

  /**
   * The node that answers for a segment.
   *
   * @param self this node, which answers for caches of its own
   * @throws RetryableGridException if none does now
   */
  NodeId primary(int segment, NodeId self) {
    NodeId primary = engine.isClustered() ? engine.primary(segment) : self;
    if (primary == null) {
      throw new RetryableGridException(
          "no node answers for a segment now: cache=%s, segment=%d; try again"
              .formatted(name(), segment));
    }
    return primary;
  }

  @Override
  boolean mayWait(Object key, boolean isRead) {
    return engine.mayWait() && engine.mayWait(edge.hash(storedKey(key)), isRead);
  }

  @Override
  void refuseRecursion(Object key) {
    if (engine.hasFlights()) {
      engine.refuseRecursion(storedKey(key));
    }
  }

  @Override
  void refuseRecursionOfAll() {
    engine.refuseRecursionOfAll();
  }

  @Override
  boolean isInFlight(Object key) {
    return engine.hasFlights() && engine.isInFlight(storedKey(key));
  }

  @Override
  public boolean containsValue(Object value) {
    return values().contains(Objects.requireNonNull(value, "value"));
  }

  // Writes that KeyWrite knows

  private KeyWrite<S, T> storing(V value, Expiry expiry) {
    T stored = edge.storedValue(Objects.requireNonNull(value, "value"));
    return new KeyWrite<S, T>().put(stored).expiry(expiry.lifespanMillis(), expiry.maxIdleMillis());
  }

  private boolean tryWrite(EdgeCall<K, V, S, T> call, Object key, KeyWrite<S, T> write) {
    S stored = call.key(user(key));
    engine.writeInTurn(stored, edge.hash(stored), write);
    return write.outcome() == KeyWrite.Outcome.DONE;
  }

  /** Writes and gives the value before, or null if there was none. */
  private @Nullable V writeTaking(EdgeCall<K, V, S, T> call, Object key, KeyWrite<S, T> write) {
    tryWrite(call, key, write.readingPrevious(call));
    return call.previous();
  }

  private @Nullable V putWhen(KeyWrite.Condition condition, K key, V value, Expiry expiry) {
    Objects.requireNonNull(expiry, "expiry");
    try (EdgeCall<K, V, S, T> call = edge.call()) {
      return writeTaking(call, key, call.storing(value, expiry).when(condition));
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the edge gives the user's form
  public @Nullable V put(K key, V value) {
    Object before = edge.tryPut(engine, user(key), Objects.requireNonNull(value, "value"));
    return Segment.isUnclear(before) ? put(key, value, Expiry.DEFAULT) : (V) before;
  }

  @Override
  public @Nullable V put(K key, V value, Expiry expiry) {
    return putWhen(KeyWrite.Condition.NONE, key, value, expiry);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    putAll(map, Expiry.DEFAULT);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map, Expiry expiry) {
    Objects.requireNonNull(map, "map");
    Objects.requireNonNull(expiry, "expiry");
    Bulk<S, T> bulk = engine.bulk();
    map.forEach((key, value) -> {
      S stored = storedKey(key);
      engine.refuseRecursion(stored);
      bulk.write(stored, edge.hash(stored), storing(value, expiry));
    });
    bulk.await();
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return putIfAbsent(key, value, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value, Expiry expiry) {
    return putWhen(KeyWrite.Condition.ABSENT, key, value, expiry);
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return replace(key, value, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V replace(K key, V value, Expiry expiry) {
    return putWhen(KeyWrite.Condition.PRESENT, key, value, expiry);
  }

  @Override
  public boolean replaceIfVersion(K key, V value, long version, Expiry expiry) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(expiry, "expiry");
    try (EdgeCall<K, V, S, T> call = edge.call()) {
      return tryWrite(call, key, call.storing(value, expiry).whenVersion(version));
    }
  }

  @Override
  public @Nullable V remove(Object key) {
    try (EdgeCall<K, V, S, T> call = edge.call()) {
      return writeTaking(call, key, call.removing());
    }
  }

  @Override
  public boolean removeIfVersion(K key, long version) {
    try (EdgeCall<K, V, S, T> call = edge.call()) {
      return tryWrite(call, key, call.removing().whenVersion(version));
    }
  }

  // Writes that depend on the current value

  /** The new value for an old one; null, for the absence, on both sides. */
  private interface Change<V> {
    @Nullable V apply(@Nullable V current);
  }

  /** Puts what a function makes of the current value in its place. */
  private final class Computation implements UserMutation<S, T> {
    private final Object key;
    private final Change<V> change;
    private final Expiry expiry;
    private final boolean onlyIfAbsent;
    private final @Nullable Object sharer;
    private @Nullable V before;
    private @Nullable V after;
    private boolean isDecided;

    Computation(Object key, Change<V> change, Expiry expiry) {
      this(key, change, expiry, false, null);
    }

    Computation(
        Object key,
        Change<V> change,
        Expiry expiry,
        boolean onlyIfAbsent,
        @Nullable Object sharer) {
      this.key = key;
      this.change = change;
      this.expiry = expiry;
      this.onlyIfAbsent = onlyIfAbsent;
      this.sharer = sharer;
    }

    @Override
    public @Nullable Object sharer() {
      return sharer;
    }

    @Override
    public boolean hasFoundNothing() {
      return isDecided && after == null;
    }

    @Override
    public Object userKey() {
      return key;
    }

    @Override
    public boolean look(EntryView<S, T> current) {
      before = current.isPresent() ? edge.value(current.value()) : null;
      after = before;
      isDecided = false;
      return before == null || !onlyIfAbsent;
    }

    @Override
    public void decide(Effect<T> effect) {
      after = change.apply(before);
      isDecided = true;
      if (after != null) {
        effect.store(edge.storedValue(after), expiry.lifespanMillis(), expiry.maxIdleMillis());
      } else if (before != null) {
        effect.remove();
      }
    }
  }

  private @Nullable V change(Object key, Computation computation) {
    S stored = storedKey(key);
    engine.write(stored, edge.hash(stored), computation);
    return computation.after;
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return replace(key, oldValue, newValue, Expiry.DEFAULT);
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue, Expiry expiry) {
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    Objects.requireNonNull(expiry, "expiry");
    return ifEqual(key, oldValue, newValue, expiry);
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    Objects.requireNonNull(key, "key");
    return value != null && ifEqual(key, value, null, Expiry.DEFAULT);
  }

  private boolean ifEqual(Object key, Object expected, @Nullable V change, Expiry expiry) {
    boolean[] equal = {false};
    S stored = storedKey(key);
    T replacement = change == null ? null : edge.storedValue(change);
    engine.writeInTurn(
        stored,
        edge.hash(stored),
        (current, effect) -> {
          equal[0] = current.isPresent() && edge.isEqual(expected, current.value());
          if (equal[0] && replacement == null) {
            effect.remove();
          } else if (equal[0] && replacement != null) {
            effect.store(replacement, expiry.lifespanMillis(), expiry.maxIdleMillis());
          }
        });
    return equal[0];
  }

  /** Equality as users expect it, so by content for arrays, which have none of their own. */
  static boolean isEqual(Object a, Object b) {
    return Objects.deepEquals(a, b);
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mapping) {
    return computeIfAbsent(key, mapping, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mapping, Expiry expiry) {
    Objects.requireNonNull(mapping, "mapping");
    Objects.requireNonNull(expiry, "expiry");
    V present = get(key);
    return present == null ? load(key, mapping, expiry, null) : present;
  }

  /**
   * Loads a value unless there is one.
   *
   * @param sharer whose function it is; null if each thread has its own
   */
  @Nullable V load(
      K key,
      Function<? super K, ? extends @Nullable V> mapping,
      Expiry expiry,
      @Nullable Object sharer) {
    Computation load = new Computation(key, _ -> mapping.apply(key), expiry, true, sharer);
    S stored = storedKey(key);
    engine.load(stored, edge.hash(stored), load);
    return load.after;
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    return computeIfPresent(key, remapping, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping, Expiry expiry) {
    Objects.requireNonNull(remapping, "remapping");
    Objects.requireNonNull(expiry, "expiry");
    return compute(
        key,
        remapping,
        new ComputeProcessors.IfPresent<>(remapping, expiry),
        new Computation(
            key, current -> current == null ? null : remapping.apply(key, current), expiry));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    return compute(key, remapping, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V compute(
      K key,
      BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping,
      Expiry expiry) {
    Objects.requireNonNull(remapping, "remapping");
    Objects.requireNonNull(expiry, "expiry");
    return compute(
        key,
        remapping,
        new ComputeProcessors.Always<>(remapping, expiry),
        new Computation(key, current -> remapping.apply(key, current), expiry));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    return merge(key, value, remapping, Expiry.DEFAULT);
  }

  @Override
  public @Nullable V merge(
      K key,
      V value,
      BiFunction<? super V, ? super V, ? extends @Nullable V> remapping,
      Expiry expiry) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(remapping, "remapping");
    Objects.requireNonNull(expiry, "expiry");
    return compute(
        key,
        remapping,
        new ComputeProcessors.Merge<>(value, remapping, expiry),
        new Computation(
            key, current -> current == null ? value : remapping.apply(current, value), expiry));
  }

  // Loading

  @Override
  public LoadingCache<K, V> loading(CacheLoader<? super K, V> loader, LoadingConfig config) {
    return new EmbeddedLoading<>(this, loader, config, engine::nowMillis);
  }

  /** An object that is equal for equal keys. */
  Object identity(K key) {
    return engine.identity(storedKey(key));
  }

  /** Claims a key for a load that this thread is going to do, or null if it is being loaded. */
  @Nullable LoadClaim tryLoad(K key) {
    S stored = storedKey(key);
    return engine.tryLoad(stored, edge.hash(stored), key);
  }

  /** Claims a key among the nodes for a refresh, or null if another one has it. */
  Claims.@Nullable Claim tryClaim(K key) {
    S stored = storedKey(key);
    return engine.tryClaim(stored, edge.hash(stored));
  }

  /** Stores what is not there, and gives what is there then. */
  Map<K, V> putAllIfAbsent(Map<K, V> map, Expiry expiry) {
    Map<K, V> there = new HashMap<>(map);
    Bulk<S, T> bulk = engine.bulk();
    map.forEach((key, value) -> {
      S stored = storedKey(key);
      engine.refuseRecursion(stored);
      KeyWrite<S, T> write = storing(value, expiry).when(KeyWrite.Condition.ABSENT);
      bulk.write(
          stored,
          edge.hash(stored),
          write.readingPrevious(view -> there.put(key, edge.value(view.value()))));
    });
    bulk.await();
    return there;
  }

  // Code that changes entries where they are

  /** Runs a processor on the entry as it is here. */
  private final class Processing implements UserMutation<S, T> {
    private final K key;
    private final EntryProcessor<? super K, V, ?> processor;
    private @Nullable V before;
    private long version;
    private @Nullable Object result;

    Processing(K key, EntryProcessor<? super K, V, ?> processor) {
      this.key = key;
      this.processor = processor;
    }

    @Override
    public Object userKey() {
      return key;
    }

    @Override
    public boolean look(EntryView<S, T> current) {
      before = current.isPresent() ? edge.value(current.value()) : null;
      version = before == null ? 0 : current.version();
      return true;
    }

    @Override
    @SuppressWarnings("unchecked") // the types are the caller's promise
    public void decide(Effect<T> effect) {
      EmbeddedProcessedEntry<K, V> entry = new EmbeddedProcessedEntry<>(key, before, version);
      result = ((EntryProcessor<K, V, ? extends @Nullable Object>) processor).process(entry);
      V after = entry.value();
      if (entry.isChanged() && after != null) {
        Expiry expiry = entry.expiry();
        effect.store(edge.storedValue(after), expiry.lifespanMillis(), expiry.maxIdleMillis());
      } else if (entry.isChanged() && before != null) {
        effect.remove();
      }
    }
  }

  /** Runs a processor on an entry, and says what it wants. */
  @Nullable Object process(
      EntryProcessor<? super K, V, ?> processor, S key, EntryView<S, T> current, Effect<T> effect) {
    Processing processing = new Processing(edge.key(key), processor);
    processing.apply(current, effect);
    return processing.result;
  }

  @Override
  @SuppressWarnings("unchecked") // what the processor gave
  public <R> @Nullable R invoke(
      K key, EntryProcessor<? super K, V, ? extends @Nullable R> processor) {
    S stored = storedKey(key);
    Processing near = new Processing(key, Objects.requireNonNull(processor, "processor"));
    if (!engine.isClustered()) {
      engine.write(stored, edge.hash(stored), near);
      return (R) near.result;
    }
    ByteString code = shipping.toBytes(processor, CacheProcessing.PROCESSOR);
    ByteString answer = engine.process(stored, edge.hash(stored), code, near);
    return (R) (answer == null ? near.result : CacheProcessing.result(answer, shipping));
  }

  @Override
  @SuppressWarnings("unchecked") // what the processor gave
  public <R> Map<K, R> invokeAll(
      Set<? extends K> keys, EntryProcessor<? super K, V, ? extends @Nullable R> processor) {
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(processor, "processor");
    ByteString code =
        engine.isClustered()
            ? shipping.toBytes(processor, CacheProcessing.PROCESSOR)
            : ByteString.of(new byte[0]);
    Map<K, R> results = new HashMap<>();
    Bulk<S, T> bulk = engine.bulk();
    for (K key : keys) {
      S stored = storedKey(key);
      engine.refuseRecursion(stored);
      Processing near = new Processing(key, processor);
      bulk.process(
          stored,
          edge.hash(stored),
          code,
          near,
          answer -> {
            Object result = answer == null ? near.result : CacheProcessing.result(answer, shipping);
            if (result != null) {
              results.put(key, (R) result);
            }
          });
    }
    bulk.await();
    return results;
  }

  @Override
  public <R> Map<K, R> invokeAll(
      EntryFilter<? super K, ? super V> filter,
      EntryProcessor<? super K, V, ? extends @Nullable R> processor) {
    return FilteredProcessing.invokeAll(this, filter, processor);
  }

  /** Computes at the primary, if the function can travel there; if not, here. */
  @SuppressWarnings("unchecked") // what the function gave
  private @Nullable V compute(
      K key, Object function, EntryProcessor<K, V, @Nullable V> far, Computation near) {
    if (engine.isClustered() && function instanceof Serializable) {
      ByteString code = tryToBytes(far);
      if (code != null) {
        S stored = storedKey(key);
        ByteString answer = engine.process(stored, edge.hash(stored), code, near);
        return answer == null ? near.after : (V) CacheProcessing.result(answer, shipping);
      }
    }
    return change(key, near);
  }

  private @Nullable ByteString tryToBytes(Object code) {
    try {
      return shipping.toBytes(code, CacheProcessing.PROCESSOR);
    } catch (InvalidRequestException _) {
      return null; // it captures something that can't travel: computed here, as if it said so
    }
  }

  // The whole cache

  @Override
  public long sizeLong() {
    return engine.size();
  }

  @Override
  public int size() {
    return (int) Math.min(sizeLong(), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return sizeLong() == 0;
  }

  @Override
  public void clear() {
    engine.clear();
  }

  @Override
  public CacheSet<K> keySet() {
    return new KeysView<>(
        this,
        () -> new EntryIterator<>(this, engine, false, (key, _) -> key),
        isParallel -> streams.get().stream(forStreams(), EntryPart.KEYS, isParallel));
  }

  @Override
  public CacheCollection<V> values() {
    return new ValuesView<>(
        this,
        () -> new EntryIterator<>(this, engine, true, (_, view) -> edge.value(view.value())),
        isParallel -> streams.get().stream(forStreams(), EntryPart.VALUES, isParallel));
  }

  @Override
  public CacheSet<Map.Entry<K, V>> entrySet() {
    return new EntriesView<>(
        this,
        () ->
            new EntryIterator<>(
                this,
                engine,
                true,
                (key, view) -> new LiveEntry<>(this, key, edge.value(view.value()))),
        isParallel -> streams.get().stream(forStreams(), EntryPart.ENTRIES, isParallel));
  }

  @Override
  public CacheStream<EntryBytes> entryBytes() {
    if (engine.config().storage() == StorageType.HEAP_OBJECT) {
      throw new InvalidRequestException(
          "cache keeps objects, not bytes: cache=%s; use entrySet, or configure heap-binary or"
                  .formatted(name())
              + " off-heap storage");
    }
    return streams.get().stream(forStreams(), EntryPart.BYTES, false);
  }

  /** The cache as streams need it. */
  StreamCache<K, V, S, T> forStreams() {
    return new StreamCache<>(engine, edge, () -> this);
  }

  @Override
  public Subscription addListener(CacheListener<? super K, ? super V> listener) {
    return addListener(listener, CacheListener.Delivery.SYNC);
  }

  @Override
  public Subscription addListener(
      CacheListener<? super K, ? super V> listener, CacheListener.Delivery delivery) {
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(delivery, "delivery");
    engine.checkOpen();
    hubLock.lock();
    try {
      if (hubSubscription == null) {
        hubSubscription = engine.addListener(hub);
      } else {
        engine.awaitHeard(); // so that the lanes have all events that are older than the listener
      }
      Subscription added = hub.add(listener, delivery);
      return () -> end(added);
    } finally {
      hubLock.unlock();
    }
  }

  /** Ends a listener. After the last one the engine is free of the work that they cost. */
  private void end(Subscription listening) {
    listening.close();
    if (hub.hasListeners() || !hubLock.tryLock()) {
      return; // another one comes
    }
    try {
      Subscription open = hubSubscription;
      if (open != null && !hub.hasListeners()) {
        hubSubscription = null;
        open.close();
        hub.forget();
      }
    } finally {
      hubLock.unlock();
    }
  }

  @Override
  public CacheChanges<K, V> changes(ChangeToken from) {
    return new EmbeddedChanges<>(
        engine.changes(Objects.requireNonNull(from, "from")), engine, edge);
  }

  @Override
  public MemoryUse memoryUse() {
    return engine.memoryUse();
  }

  @Override
  public MemoryUse memoryUse(int segment) {
    return engine.memoryUse(segment);
  }

  @Override
  public List<PageUse> pages(int segment) {
    return engine.pages(segment);
  }

  @Override
  public CacheStats stats() {
    CacheStats stats = engine.stats();
    return stats == null ? NO_STATS : stats;
  }

  @Override
  public void resetStats() {
    engine.resetStats();
  }

  @Override
  public @Nullable StoreStats storeStats() {
    return engine.storeStats();
  }
}
