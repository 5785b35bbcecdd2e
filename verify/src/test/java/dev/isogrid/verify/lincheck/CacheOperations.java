package dev.isogrid.verify.lincheck;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a cache on one key, for Lincheck to run in all orders. Keys 0 and 1 are in one
 * segment and belong to the same place of its table. Key 2 is in the other segment. A filler makes
 * the table grow once both are in it, and a removal move the places behind it.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
@Param(name = "value", gen = IntGen.class, conf = "0:2")
@Param(name = "sequence", gen = IntGen.class, conf = "3:5")
public abstract class CacheOperations {
  /** The writes of segment 0 before the first operation. */
  static final int FIRST_WRITES = 2;

  private static final long NOW_MILLIS = 1_780_272_000_000L;

  /** One node for all; each closed cache releases its off-heap memory. */
  private static final Node NODE = startNode();

  private static final long SEQUENCE_MASK = (1L << 32) - 1;

  private final Cache<Integer, Integer> cache;
  private final List<Integer> keys;

  CacheOperations(StorageType storage) {
    keys = CollidingKeys.of(storage);
    CacheConfig config =
        CacheConfig.builder()
            .storage(storage)
            .segments(CollidingKeys.SEGMENTS)
            .reaperInterval(-1, TimeUnit.MILLISECONDS)
            .build();
    NODE.removeCache("c");
    cache = NODE.createCache("c", config);
    int filler = keys.getLast();
    for (int i = 0; i < FIRST_WRITES; i++) {
      cache.put(filler, 0);
    }
  }

  private static Node startNode() {
    Env env = new Env(() -> 0, () -> NOW_MILLIS, new SplittableRandom(1), new NoScheduler());
    return Node.start(GridConfig.builder().nodeName("n").build(), env);
  }

  @Operation(params = "key")
  public @Nullable Integer get(int key) {
    return cache.get(keys.get(key));
  }

  /** The value and the number of its segment's writes until then; -1 if there is no entry. */
  @Operation(params = "key")
  public String entry(int key) {
    CacheEntry<Integer, Integer> entry = cache.getEntry(keys.get(key));
    return entry == null ? "none" : entry.value() + "#" + (entry.version() & SEQUENCE_MASK);
  }

  @Operation(params = {"key", "value"})
  public @Nullable Integer put(int key, int value) {
    return cache.put(keys.get(key), value);
  }

  @Operation(params = {"key", "value"})
  public @Nullable Integer putIfAbsent(int key, int value) {
    return cache.putIfAbsent(keys.get(key), value);
  }

  @Operation(params = "key")
  public @Nullable Integer remove(int key) {
    return cache.remove(keys.get(key));
  }

  @Operation(params = {"key", "value"})
  public boolean removeIfEqual(int key, int value) {
    return cache.remove(keys.get(key), value);
  }

  @Operation(params = {"key", "value", "value"})
  public boolean replace(int key, int expected, int value) {
    return cache.replace(keys.get(key), expected, value);
  }

  /** Counts up, and removes a count that is too large. */
  @Operation(params = "key")
  public @Nullable Integer count(int key) {
    return cache.compute(keys.get(key), (_, value) -> next(value));
  }

  static @Nullable Integer next(@Nullable Integer value) {
    int next = value == null ? 0 : value + 1;
    return next > 2 ? null : Integer.valueOf(next);
  }

  @Operation(params = {"key", "value"})
  public @Nullable Integer add(int key, int value) {
    return cache.merge(keys.get(key), value, Integer::sum);
  }

  @Operation(params = {"key", "value", "sequence"})
  public boolean replaceIfVersion(int key, int value, int sequence) {
    return cache.replaceIfVersion(keys.get(key), value, epochBits() | sequence);
  }

  /** The epoch of the filler, which no operation writes. */
  private long epochBits() {
    CacheEntry<Integer, Integer> filler = Objects.requireNonNull(cache.getEntry(keys.getLast()));
    return filler.version() & ~SEQUENCE_MASK;
  }
}
