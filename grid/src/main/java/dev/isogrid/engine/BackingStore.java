package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.GridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreEntry;
import dev.isogrid.api.StoreStats;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.SegmentPuts.Put;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the entries of a cache in a store outside of the grid: loads what is not in memory, and
 * lets a write through to the store before memory changes. Methods block. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public final class BackingStore<K, V> {
  /*
   * Whatever concerns a key, a load or a write, has the key's turn while it is under way, as a
   * function of a user has it (Flights; in a cluster the claim of the key's primary as well). So
   * memory and store get the changes of a key in one order, and a load can't bring back what a
   * write has just replaced. No lock is held meanwhile, and no event loop comes here, since the
   * engine's mayWait says so.
   *
   * A write decides on what it saw, has the store carry it out, and changes memory if the entry is
   * still what it saw; if not, it decides again. If the store fails, memory is not touched. If
   * memory fails after the store (no room, no majority), the entry is taken out of memory, so that
   * the next read gets what the store has.
   *
   * Clearing takes all turns at once: it waits until nothing is under way on this node. In a
   * cluster it is not ordered with what other nodes do at the same time.
   */
  private static final System.Logger log = System.getLogger(BackingStore.class.getName());

  /** Loads and writes under way on this node; more than threads can have. */
  private static final int OPERATIONS_MAX = 1 << 20;

  /** How long an operation waits for a clear of the cache, and the other way round. */
  private static final long GATE_SECONDS = 10;

  /** Times that a read looks again, since others changed the entry meanwhile. */
  private static final int LOOKS_MAX = 10_000;

  private final LocalEngine<K, V> engine;
  private final StoreConfig config;
  private final StoreForm<K, V> form;
  private final StoreCalls calls;
  private final @Nullable WriteQueue queue;
  private final Semaphore gate = new Semaphore(OPERATIONS_MAX);
  private final Scheduler.@Nullable Task cleaning;
  private final AtomicBoolean isCleaning = new AtomicBoolean();

  /**
   * Begins; the engine is told by {@link LocalEngine#backBy}.
   *
   * @param calls of the store; owned from now on
   */
  public BackingStore(
      LocalEngine<K, V> engine,
      StoreConfig config,
      StoreForm<K, V> form,
      StoreCalls calls,
      Env env) {
    this.engine = engine;
    this.config = config;
    this.form = form;
    this.calls = calls;
    WriteBehind behind = config.writeBehind();
    this.queue =
        behind == null
            ? null
            : new WriteQueue(
                engine.name(), behind, calls, env.scheduler()::execute, env.nanoClock());
    long interval = engine.config().reaperIntervalMillis();
    this.cleaning =
        interval < 1 || config.isReadOnly()
            ? null
            : env.scheduler().every(interval, () -> cleanSoon(env.scheduler()));
  }

  private void cleanSoon(Scheduler scheduler) {
    if (isCleaning.compareAndSet(false, true)) {
      scheduler.execute(this::clean);
    }
  }

  private void clean() {
    try {
      calls.deleteExpired(engine.nowMillis());
    } catch (GridException failure) {
      log.log(Level.WARNING, failure.getMessage());
    } finally {
      isCleaning.set(false);
    }
  }

  // ---- what the steps of operations need

  Object outerKey(K key) {
    return form.outerKey(key);
  }

  /** What the store has of a key, or will have; null if there is nothing that lives. */
  @Nullable StoreEntry<Object, Object> find(K key) {
    StoreChange waiting = queue == null ? null : queue.of(Flights.identity(key));
    if (waiting == null) {
      StoreEntry<Object, Object> found = calls.load(form.outerKey(key), engine.nowMillis());
      engine.countLoad(found != null);
      return found;
    }
    StoreEntry<Object, Object> entry = waiting.entry();
    return entry == null || entry.isExpired(engine.nowMillis()) ? null : entry;
  }

  /**
   * Loads the value that follows an old one; memory stays as it is.
   *
   * @param key in the store's form, as are the values
   * @param oldValue null if there is none
   * @return null if there is none any more
   */
  public @Nullable Object reload(Object key, @Nullable Object oldValue) {
    return calls.reload(key, oldValue, engine.nowMillis());
  }

  /** Makes an effect bring an entry into memory. */
  void restore(StoreEntry<Object, Object> entry, Effect<V> effect) {
    effect.clear();
    effect.store(
        form.value(entry.value()),
        lifespan(entry),
        entry.maxIdleMillis() < 0 ? Expiry.CACHE_DEFAULT : entry.maxIdleMillis(),
        entry.clientFlags(),
        entry.mediaType());
    effect.silent(true);
  }

  private long lifespan(StoreEntry<Object, Object> entry) {
    return entry.expiryMillis() < 0
        ? Expiry.CACHE_DEFAULT
        : Math.max(1, entry.expiryMillis() - engine.nowMillis());
  }

  /** A window on an entry of the store, or on an absence. */
  EntryView<K, V> view(K key, @Nullable StoreEntry<Object, Object> entry) {
    EntryView<K, V> view = engine.newView();
    if (entry != null) {
      show(view, key, entry, 0);
    }
    return view;
  }

  private void show(EntryView<K, V> view, K key, StoreEntry<Object, Object> entry, long version) {
    Effect<V> effect = new Effect<>();
    restore(entry, effect);
    effect.resolveDefaults(engine.config().lifespanMillis(), engine.config().maxIdleMillis());
    effect.times(engine.nowMillis(), engine.nowMillis());
    view.show(key, effect, version);
  }

  /** Lets an effect have a value that stays as it is. */
  void keep(Effect<V> effect) {
    effect.store(
        SegmentPuts.own(effect.value()),
        effect.lifespanMillis(),
        effect.maxIdleMillis(),
        effect.clientFlags(),
        effect.mediaType());
  }

  /** Has the store take what an effect stores; returns whether it did, now or soon. */
  boolean store(K key, Effect<V> effect) {
    effect.resolveDefaults(engine.config().lifespanMillis(), engine.config().maxIdleMillis());
    return change(
        key,
        entry(
            key,
            effect.value(),
            effect.lifespanMillis(),
            effect.maxIdleMillis(),
            effect.clientFlags(),
            effect.mediaType()));
  }

  /** Has the store delete what it has of a key; returns whether it did, now or soon. */
  boolean delete(K key) {
    return change(key, null);
  }

  // tidy: all that an entry has
  private StoreEntry<Object, Object> entry(
      K key,
      V value,
      long lifespanMillis,
      long maxIdleMillis,
      int clientFlags,
      @Nullable String mediaType) {
    return new StoreEntry<>(
        form.outerKey(key),
        form.outerValue(value),
        engine.segmentOf(form.hash(key)),
        lifespanMillis < 0 ? Expiry.UNLIMITED : endMillis(lifespanMillis),
        maxIdleMillis,
        clientFlags,
        mediaType);
  }

  /** When a lifespan ends that begins now; ends with the range of the numbers. */
  private long endMillis(long lifespanMillis) {
    long end = engine.nowMillis() + lifespanMillis;
    return end < 0 ? Long.MAX_VALUE : end;
  }

  private boolean change(K key, @Nullable StoreEntry<Object, Object> entry) {
    if (config.isReadOnly()) {
      return false;
    }
    StoreChange change = new StoreChange(Flights.identity(key), form.outerKey(key), entry);
    if (queue == null) {
      calls.change(List.of(change));
    } else {
      queue.add(change);
    }
    return true;
  }

  // ---- operations

  private <R extends @Nullable Object> R operate(int permits, Supplier<R> operation) {
    boolean isFree;
    try {
      isFree = gate.tryAcquire(permits, GATE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException(
          "interrupted: cache=%s; try again".formatted(engine.name()), interruption);
    }
    if (!isFree) {
      throw new RetryableGridException(
          "cache is busy, since it is cleared and written at the same time: cache=%s, waited=%d s;"
                  .formatted(engine.name(), GATE_SECONDS)
              + " try again");
    }
    try {
      return operation.get();
    } finally {
      gate.release(permits);
    }
  }

  /**
   * Reads an entry that was not found in memory.
   *
   * @return whether there is a live one, which the reader was called with
   */
  boolean read(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    if (engine.isLocked(hash)) {
      return false; // asked from within a write, which must not wait
    }
    return operate(1, () -> readInTurn(key, hash, view, reader));
  }

  private boolean readInTurn(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    Flight flight = engine.flights.of(key);
    if (flight != null && flight.isMine()) {
      return reads(find(key), 0, key, view, reader); // by the function that has the turn
    }
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
      StoreLoad<K, V> load = new StoreLoad<>(this, key);
      long version = load(key, hash, load);
      if (!load.isInMemory()) {
        return reads(load.found(), version, key, view, reader);
      }
      if (engine.peekMemory(key, hash, view, reader)) {
        return true;
      }
    }
    throw new RetryableGridException(
        "too many writes at once: cache=%s, attempts=%d; try again"
            .formatted(engine.name(), LOOKS_MAX));
  }

  private long load(K key, int hash, StoreLoad<K, V> load) {
    long version = 0;
    try {
      version = engine.load(key, hash, load);
    } catch (CacheFullException _) {
      return 0; // it is loaded the next time as well
    }
    if (load.found() != null) {
      engine.uncountStore();
    }
    return version;
  }

  // tidy: an entry and who reads it
  private boolean reads(
      @Nullable StoreEntry<Object, Object> found,
      long version,
      K key,
      EntryView<K, V> view,
      EntryReader<K, V> reader) {
    if (found == null) {
      return false;
    }
    show(view, key, found, version);
    reader.read(view);
    view.release();
    return true;
  }

  /** Does a write of users. */
  long write(K key, int hash, Mutation<K, V> mutation) {
    return operate(1, () -> writeInTurn(key, hash, mutation));
  }

  private long writeInTurn(K key, int hash, Mutation<K, V> mutation) {
    BackedWrite<K, V> write = new BackedWrite<>(this, key, mutation);
    Flight flight = engine.flights.of(key);
    boolean hasTurn = flight != null && flight.isMine() && flight.isStoring();
    long version;
    try {
      version = hasTurn ? writeHolding(key, hash, write) : engine.load(key, hash, write);
    } catch (GridException failure) {
      if (write.isStored()) {
        forget(key, hash);
      }
      throw failure;
    }
    if (write.isRestored()) {
      engine.uncountStore();
    }
    return version;
  }

  /** Does a write of a thread that has the turn of the key already. */
  private long writeHolding(K key, int hash, BackedWrite<K, V> write) {
    boolean[] mustDecide = {false};
    boolean isInMemory =
        engine.peekMemory(key, hash, engine.newView(), entry -> mustDecide[0] = write.look(entry));
    if (!isInMemory) {
      mustDecide[0] = write.look(engine.newView());
    }
    Effect<V> effect = new Effect<>();
    if (mustDecide[0]) {
      write.decide(effect);
    }
    return switch (effect.kind()) {
      case STORE -> engine.writeMemory(key, hash, storing(effect).silent(effect.isSilent()));
      case REMOVE -> engine.writeMemory(key, hash, new KeyWrite<K, V>().remove());
      case TOUCH, LEAVE -> 0;
    };
  }

  private KeyWrite<K, V> storing(Effect<V> effect) {
    return new KeyWrite<K, V>()
        .put(effect.value())
        .expiry(effect.lifespanMillis(), effect.maxIdleMillis())
        .attributes(effect.clientFlags(), effect.mediaType());
  }

  /** Takes an entry out of memory that the store may have otherwise. */
  private void forget(K key, int hash) {
    try {
      long _ = engine.writeMemory(key, hash, new KeyWrite<K, V>().remove().silent(true));
    } catch (GridException failure) {
      log.log(
          Level.WARNING,
          "memory may have an entry that its store has otherwise: cache=%s, reason=%s; write it"
                  .formatted(engine.name(), failure.getMessage())
              + " again");
    }
  }

  /** Does puts of different keys, which the store gets together. */
  void putAll(List<Put<K, V>> puts) {
    operate(1, () -> putAllInTurn(puts));
  }

  private @Nullable Object putAllInTurn(List<Put<K, V>> puts) {
    List<Put<K, V>> claimed = new ArrayList<>();
    List<Put<K, V>> others = new ArrayList<>(queue == null ? List.of() : puts);
    List<LoadClaim> claims = new ArrayList<>();
    try {
      for (Put<K, V> put : queue == null ? puts : List.<Put<K, V>>of()) {
        LoadClaim claim = engine.tryLoad(put.key(), put.hash(), form.outerKey(put.key()));
        if (claim == null) {
          others.add(put);
        } else {
          claims.add(claim);
          claimed.add(put);
        }
      }
      changeAll(claimed);
      claims.forEach(LoadClaim::beginStoring);
      putInMemory(claimed);
    } finally {
      claims.forEach(LoadClaim::close);
    }
    for (Put<K, V> put : others) {
      writeInTurn(put.key(), put.hash(), put.write());
    }
    return null;
  }

  private void changeAll(List<Put<K, V>> puts) {
    if (config.isReadOnly() || puts.isEmpty()) {
      return;
    }
    List<StoreChange> changes = new ArrayList<>(puts.size());
    for (Put<K, V> put : puts) {
      Effect<V> effect = new Effect<>();
      put.write().apply(engine.newView(), effect);
      effect.resolveDefaults(engine.config().lifespanMillis(), engine.config().maxIdleMillis());
      StoreEntry<Object, Object> entry =
          entry(
              put.key(),
              effect.value(),
              effect.lifespanMillis(),
              effect.maxIdleMillis(),
              effect.clientFlags(),
              effect.mediaType());
      changes.add(new StoreChange(Flights.identity(put.key()), entry.key(), entry));
    }
    calls.change(changes);
  }

  private void putInMemory(List<Put<K, V>> puts) {
    int done = 0;
    try {
      for (Put<K, V> put : puts) {
        long _ = engine.writeMemory(put.key(), put.hash(), put.write());
        done++;
      }
    } finally {
      if (done < puts.size()) {
        puts.subList(done, puts.size()).forEach(put -> forget(put.key(), put.hash()));
      }
    }
  }

  /** A read of several. */
  record Wanted<K, V>(K key, int hash, EntryReader<K, V> reader) {}

  /** Loads entries that were not found in memory, and counts hits and misses. */
  void readAll(List<Wanted<K, V>> wanted) {
    operate(1, () -> readAllInTurn(wanted));
  }

  private @Nullable Object readAllInTurn(List<Wanted<K, V>> wanted) {
    StoreLoads<K, V> loads = new StoreLoads<>(engine, this, wanted);
    try {
      loads.claim();
      calls.loadAll(loads.keys(), engine.nowMillis(), loads::found);
      loads.store();
    } finally {
      loads.close();
    }
    loads.readOthers();
    return null;
  }

  /** The container's form of a key of the store. */
  K key(Object outer) {
    return form.key(outer);
  }

  /** Lets a reader see an entry of the store. */
  void show(Wanted<K, V> wanted, StoreEntry<Object, Object> entry, long version) {
    boolean _ = reads(entry, version, wanted.key(), engine.newView(), wanted.reader());
  }

  /** What brings an entry into memory where there is none. */
  KeyWrite<K, V> restoring(StoreEntry<Object, Object> entry) {
    Effect<V> effect = new Effect<>();
    restore(entry, effect);
    return storing(effect).silent(true).when(KeyWrite.Condition.ABSENT);
  }

  /** Whether a key has a change that the store does not have yet. */
  boolean isWaiting(K key) {
    return queue != null && queue.of(Flights.identity(key)) != null;
  }

  /**
   * Clears the store, and then memory.
   *
   * @param clearing clears memory
   */
  void clear(Runnable clearing) {
    operate(
        OPERATIONS_MAX,
        () -> {
          if (!config.isReadOnly()) {
            clearStore();
          }
          clearing.run();
          return null;
        });
  }

  private void clearStore() {
    if (queue == null) {
      calls.clear();
    } else {
      queue.clear(calls::clear);
    }
  }

  // ---- begin and end

  /**
   * Opens the store, and purges it if so configured.
   *
   * @throws RetryableGridException if the store fails; the message has the reason
   */
  public void begin() {
    calls.prepare(config.isPurged());
  }

  /** Loads all entries, if so configured, as far as memory goes; returns their number. */
  public long preload() {
    if (!config.isPreloaded()) {
      return 0;
    }
    long[] loaded = {0};
    boolean[] isFull = {false};
    long now = engine.nowMillis();
    calls.publish(entry -> {
      if (!isFull[0] && !entry.isExpired(now)) {
        isFull[0] = isFull(loaded[0]) || !preload(entry);
        loaded[0] += isFull[0] ? 0 : 1;
      }
    });
    log.log(
        Level.INFO,
        "entries loaded from a store: cache=%s, store=%s, entries=%d, all=%s"
            .formatted(engine.name(), calls.what(), loaded[0], !isFull[0]));
    return loaded[0];
  }

  private boolean isFull(long loaded) {
    CacheConfig bounds = engine.config();
    return (bounds.maxCount() >= 0 && loaded >= bounds.maxCount())
        || (bounds.maxSizeBytes() >= 0
            && engine.memoryUse().allocatedBytes() >= bounds.maxSizeBytes());
  }

  private boolean preload(StoreEntry<Object, Object> entry) {
    K key = form.key(entry.key());
    int hash = form.hash(key);
    if (engine.isClustered()) {
      long _ = operate(1, () -> load(key, hash, new StoreLoad<>(this, key)));
      return true;
    }
    try {
      long _ = engine.writeMemory(key, hash, restoring(entry));
      engine.uncountStore();
      return true;
    } catch (CacheFullException _) {
      return false;
    }
  }

  /** What was counted of the store. */
  public StoreStats stats() {
    return calls.stats(queue == null ? 0 : queue.size());
  }

  /** Writes what waits, and closes the store. Blocks for some seconds at most. */
  void close() {
    if (cleaning != null) {
      cleaning.close();
    }
    boolean wasInterrupted = Thread.interrupted(); // what waits is written all the same
    try {
      if (queue != null) {
        queue.close();
      }
      calls.close();
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Names the store in messages. */
  @Override
  public String toString() {
    return Objects.requireNonNull(calls.what());
  }
}
