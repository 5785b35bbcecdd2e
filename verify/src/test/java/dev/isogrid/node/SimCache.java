package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.GridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.SimTime;
import dev.isogrid.engine.KeyHistory;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cache of the simulated cluster, and the history of its clients. */
final class SimCache {
  /** The configuration of a cache, with its promises. */
  enum Kind {
    /** Two copies of each entry, off the heap. */
    OFF_HEAP,
    /** Two copies of each entry, on the heap. */
    HEAP,
    /** A copy on each node. */
    REPLICATED,
    /** Room for few entries only. */
    BOUNDED,
    /** Room for few entries in memory, and a store on the disk of each node. */
    STORED,
    /** Two copies of each entry, which are on the disk before a write is answered. */
    DURABLE,
    /** Each node has its own entries, and is notified of changes. */
    INVALIDATED,
    /** One copy of each entry, which is lost with its node. */
    SINGLE;

    boolean hasStore() {
      return this == STORED || this == DURABLE;
    }

    /** Whether entries may vanish by themselves. */
    boolean isLossy() {
      return this == BOUNDED || this == INVALIDATED;
    }

    CacheConfig config() {
      CacheConfig.Builder config =
          CacheConfig.builder().segments(SEGMENTS).owners(2).storage(StorageType.OFF_HEAP);
      return switch (this) {
        case OFF_HEAP -> config.mode(CacheMode.DIST_SYNC).build();
        case HEAP -> config.mode(CacheMode.DIST_SYNC).storage(StorageType.HEAP_BINARY).build();
        case REPLICATED -> config.mode(CacheMode.REPL_SYNC).build();
        case BOUNDED -> config.mode(CacheMode.REPL_SYNC).maxCount(BOUND).build();
        case STORED ->
            config
                .mode(CacheMode.DIST_SYNC)
                .maxCount(BOUND)
                .fileStore(FileStore.builder().fsync(Fsync.NONE).build())
                .build();
        case DURABLE ->
            config
                .mode(CacheMode.DIST_SYNC)
                .fileStore(FileStore.builder().fsync(Fsync.EACH).build())
                .build();
        case INVALIDATED -> config.mode(CacheMode.INVALIDATION_SYNC).build();
        case SINGLE -> config.mode(CacheMode.DIST_SYNC).owners(1).build();
      };
    }
  }

  private static final int SEGMENTS = 4;
  private static final int BOUND = 6;
  private static final int KEYS = 8;

  /** One of this many operations is a clear: a cache that is always empty shows little. */
  private static final int CLEAR_RARELY = 10;

  /** Keys of bounded caches: more than they have room for. */
  private static final int MANY_KEYS = 20;

  /** An operation without an answer. */
  private record Waiting(SimMember at, long sinceNanos, Thread thread) {
    @Override
    public String toString() {
      return "%s since %d ms: %s"
          .formatted(at, sinceNanos / SimTime.MILLI, Arrays.toString(thread.getStackTrace()));
    }
  }

  final Kind kind;
  final String name;
  private final SimTime time;
  private final SplittableRandom random;
  private final List<String> keys = new ArrayList<>();
  private final Map<String, String> lastSeen = new HashMap<>();
  private final Set<Waiting> open = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The members of the clients that use it now. */
  private final List<SimMember> users = new ArrayList<>();

  /** The histories of the caches of this name, the present one last. */
  private final List<KeyHistory> histories = new ArrayList<>();

  private KeyHistory history;
  private long lastValue;

  /** The number of the cache that is being removed, or was last; 0 for none. */
  private int removedId;

  private boolean isEnding;

  SimCache(Kind kind, SimTime time) {
    this.kind = kind;
    this.name = kind.name();
    this.time = time;
    this.random = time.random().split();
    this.history = new KeyHistory(kind.isLossy());
    histories.add(history);
    boolean isBounded = kind == Kind.BOUNDED || kind == Kind.STORED;
    for (int i = 0; i < (isBounded ? MANY_KEYS : KEYS); i++) {
      keys.add("k" + i);
    }
  }

  List<String> keys() {
    return keys;
  }

  /** Whether all in-sync copies are equal when there is no activity. */
  boolean isReplicated() {
    return !kind.isLossy();
  }

  List<KeyHistory> histories() {
    return List.copyOf(histories);
  }

  /** Ends the use of the cache with this number, which is going to be removed. */
  void end(int id) {
    isEnding = true;
    removedId = id;
  }

  /** Begins the use of the cache that has the name now. */
  void beginAnew() {
    isEnding = false;
    history = new KeyHistory(kind.isLossy());
    histories.add(history);
    lastSeen.clear();
  }

  /** Whether clients wait for another cache of the name. */
  boolean isEnding() {
    return isEnding;
  }

  /** Whether this is a cache of the name that clients don't use any more. */
  boolean isEnded(CacheDefinition cache) {
    return cache.name().equals(name) && cache.id() <= removedId;
  }

  /** Whether no client uses it. */
  boolean isIdle() {
    return users.stream().allMatch(each -> each.isDead);
  }

  private boolean isUsableAt(SimMember at) {
    Topology known = at.topology();
    CacheDefinition cache = known == null ? null : known.cache(name);
    return !isEnding && (removedId == 0 || (cache != null && !isEnded(cache)));
  }

  private String newValue() {
    return "v" + ++lastValue + "-" + "x".repeat(random.nextInt(8) == 0 ? random.nextInt(3000) : 3);
  }

  private String anyKey() {
    return keys.get(random.nextInt(keys.size()));
  }

  /** Runs one operation of a client, and waits for it; does nothing while there is no cache. */
  void operate(SimMember at) {
    if (!isUsableAt(at)) {
      return;
    }
    users.add(at);
    try {
      operateNow(at);
    } finally {
      users.remove(at);
    }
  }

  private void operateNow(SimMember at) {
    Cache<String, String> cache = at.grid().cache(name);
    String key = anyKey();
    switch (random.nextInt(kind == Kind.INVALIDATED ? 13 : 20)) {
      case 0, 1, 2, 3, 4 -> get(at, key);
      case 5 -> getSome(at, cache);
      case 6, 7, 8 -> remove(at, cache, key);
      case 9 -> putSome(at, cache);
      case 10 -> {
        if (random.nextInt(CLEAR_RARELY) == 0) {
          clear(at, cache);
        } else {
          get(at, key);
        }
      }
      case 11, 12, 13, 14, 15 -> put(at, cache, key);
      case 16, 17 -> putIfAbsent(at, cache, key);
      default -> replace(at, cache, key);
    }
  }

  /** Reads a key on the node itself. */
  void get(SimMember at, String key) {
    Cache<String, String> cache = at.grid().cache(name);
    Object value = call(at, history.get(key, time.nanos()), () -> cache.get(key));
    if (value != null) {
      lastSeen.put(key, (String) value);
    }
  }

  private void put(SimMember at, Cache<String, String> cache, String key) {
    String value = newValue();
    KeyHistory.Call call =
        kind == Kind.INVALIDATED
            ? history.set(key, value, time.nanos())
            : history.put(key, value, time.nanos());
    call(
        at,
        call,
        () -> {
          String before = cache.put(key, value);
          return kind == Kind.INVALIDATED ? null : before;
        });
  }

  private void remove(SimMember at, Cache<String, String> cache, String key) {
    if (kind != Kind.INVALIDATED) {
      call(at, history.remove(key, time.nanos()), () -> cache.remove(key));
      return;
    }
    // The answer is the previous value on this node, which a write does not check.
    call(
        at,
        history.clear(List.of(key), time.nanos()),
        () -> {
          cache.remove(key);
          return null;
        });
  }

  private void putIfAbsent(SimMember at, Cache<String, String> cache, String key) {
    String value = newValue();
    call(at, history.putIfAbsent(key, value, time.nanos()), () -> cache.putIfAbsent(key, value));
  }

  private void replace(SimMember at, Cache<String, String> cache, String key) {
    String value = newValue();
    String expected = lastSeen.getOrDefault(key, value);
    call(
        at,
        history.replace(key, expected, value, time.nanos()),
        () -> cache.replace(key, expected, value));
  }

  private Set<String> someKeys() {
    Set<String> some = new TreeSet<>();
    for (int i = 2 + random.nextInt(3); i > 0; i--) {
      some.add(anyKey());
    }
    return some;
  }

  private void getSome(SimMember at, Cache<String, String> cache) {
    Set<String> some = someKeys();
    Map<String, KeyHistory.Call> calls = new TreeMap<>();
    some.forEach(key -> calls.put(key, history.get(key, time.nanos())));
    Map<String, String> found = answer(at, calls.values(), true, () -> cache.getAll(some));
    if (found != null && !at.isDead) {
      calls.forEach((key, call) -> call.done(found.get(key), time.nanos()));
    }
  }

  /** A failed operation may be done for some of the keys. */
  private void putSome(SimMember at, Cache<String, String> cache) {
    Map<String, String> entries = new TreeMap<>();
    someKeys().forEach(key -> entries.put(key, newValue()));
    List<KeyHistory.Call> calls = new ArrayList<>();
    entries.forEach((key, value) -> calls.add(history.set(key, value, time.nanos())));
    Boolean isDone =
        answer(
            at,
            calls,
            false,
            () -> {
              cache.putAll(entries);
              return true;
            });
    if (isDone != null && !at.isDead) {
      calls.forEach(call -> call.done(null, time.nanos()));
    }
  }

  private void clear(SimMember at, Cache<String, String> cache) {
    KeyHistory.Call call = history.clear(keys, time.nanos());
    Boolean isDone =
        answer(
            at,
            List.of(call),
            true,
            () -> {
              cache.clear();
              return true;
            });
    if (isDone != null && !at.isDead) {
      call.done(null, time.nanos());
    }
  }

  /** Notes that all its entries are gone. */
  void lose() {
    history.clear(keys, time.nanos()).done(null, time.nanos());
  }

  private @Nullable Object call(
      SimMember at, KeyHistory.Call call, Supplier<? extends @Nullable Object> operation) {
    Object[] answer = {null};
    Boolean isDone =
        answer(
            at,
            List.of(call),
            true,
            () -> {
              answer[0] = operation.get();
              return true;
            });
    if (isDone != null && !at.isDead) {
      call.done(answer[0], time.nanos());
    }
    return answer[0];
  }

  /**
   * Runs an operation; notes when it failed or its outcome is unknown.
   *
   * @param isOne whether a failed operation has no effect at all
   * @return null if it failed
   */
  private <T> @Nullable T answer(
      SimMember at, Collection<KeyHistory.Call> calls, boolean isOne, Supplier<T> operation) {
    Waiting waiting = new Waiting(at, time.nanos(), Thread.currentThread());
    open.add(waiting);
    try {
      return operation.get();
    } catch (GridException failure) {
      boolean isUndone =
          failure instanceof RetryableGridException || failure instanceof CacheFullException;
      for (KeyHistory.Call call : at.isDead ? List.<KeyHistory.Call>of() : calls) {
        if (isUndone && isOne) {
          call.failed(time.nanos());
        } else {
          call.unknown(time.nanos());
        }
      }
      return null;
    } finally {
      open.remove(waiting);
    }
  }

  /** Operations of living members that began before a time and have no answer. */
  List<String> unanswered(long beforeNanos) {
    return open.stream()
        .filter(each -> !each.at.isDead && each.sinceNanos < beforeNanos)
        .map(Waiting::toString)
        .toList();
  }
}
