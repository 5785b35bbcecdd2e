package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.base.Seeds;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations, each on a cache and on a {@link ConcurrentHashMap}: results, exceptions, null
 * arguments included, and contents must be the same. In a cluster each operation is asked of the
 * node that the viewpoint is for its key.
 */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.isogrid.node.CacheSetting#all")
class EmbeddedCacheMapTest {
  private static final String NAME = "c";
  private static final int SEEDS = 10;
  private static final int STEPS = 3_000;

  /** Each step is some hundred messages in a cluster. */
  private static final int STEPS_IN_CLUSTER = 300;

  private static final int KEYS = 24;
  private static final int VALUES = 6;

  private final CacheSetting setting;

  EmbeddedCacheMapTest(CacheSetting setting) {
    this.setting = setting;
  }

  /** One operation; what it returns is compared. */
  private interface Operation {
    @Nullable Object on(ConcurrentMap<String, String> map, Arguments arguments);
  }

  /** The arguments of an operation. The strings can be null, which must be refused or not alike. */
  private record Arguments(
      @Nullable String nullableKey,
      @Nullable String nullableValue,
      String other,
      BiFunction<Object, @Nullable Object, @Nullable String> function) {

    @SuppressWarnings("NullAway") // how null is taken is what is tested
    String key() {
      return nullableKey;
    }

    @SuppressWarnings("NullAway") // how null is taken is what is tested
    String value() {
      return nullableValue;
    }

    Map<String, String> map() {
      Map<String, String> map = new HashMap<>();
      map.put(key(), value());
      return map;
    }
  }

  private static final List<Operation> OPERATIONS =
      List.of(
          (map, _) -> map.size(),
          (map, _) -> map.isEmpty(),
          (map, a) -> map.get(a.key()),
          (map, a) -> map.getOrDefault(a.key(), a.other),
          (map, a) -> map.containsKey(a.key()),
          (map, a) -> map.containsValue(a.value()),
          (map, a) -> map.put(a.key(), a.value()),
          (map, a) -> map.put(a.key(), a.value()),
          (map, a) -> map.putIfAbsent(a.key(), a.value()),
          (map, a) -> map.remove(a.key()),
          (map, a) -> map.remove(a.key(), a.value()),
          (map, a) -> map.replace(a.key(), a.value()),
          (map, a) -> map.replace(a.key(), a.value(), a.other),
          (map, a) -> map.compute(a.key(), a.function),
          (map, a) -> map.computeIfPresent(a.key(), a.function),
          (map, a) -> map.computeIfAbsent(a.key(), key -> a.function.apply(key, null)),
          (map, a) -> map.merge(a.key(), a.value(), a.function),
          (map, a) -> done(() -> map.putAll(a.map())),
          (map, a) -> done(() -> map.replaceAll((key, v) -> nullable(a.function.apply(key, v)))),
          (map, _) -> visited(map),
          (map, a) -> map.keySet().contains(a.key()),
          (map, a) -> map.keySet().remove(a.key()),
          (map, a) -> map.keySet().retainAll(keysBut(map, a.other)),
          (map, a) -> map.keySet().removeAll(Set.of(a.other, "none")),
          (map, _) -> Set.of(map.keySet().toArray()),
          (map, a) -> map.values().contains(a.value()),
          (map, a) -> map.values().removeIf(value -> value.equals(a.other)),
          (map, _) -> sorted(map.values()),
          (map, a) -> map.entrySet().contains(Map.entry(a.key(), a.value())),
          (map, a) -> map.entrySet().remove(Map.entry(a.key(), a.value())),
          (map, a) -> map.entrySet().removeIf(entry -> entry.getKey().equals(a.other)),
          (map, a) -> setValues(map, a.other),
          (map, _) -> map.keySet().hashCode() + map.entrySet().hashCode(),
          (map, _) -> map.keySet().equals(new TreeSet<>(map.keySet())),
          (map, _) -> map.entrySet().equals(new TreeMap<>(map).entrySet()),
          (map, a) -> counted(map, a.other));

  @SuppressWarnings("NullAway") // how null is taken is what is tested
  private static String nullable(@Nullable String value) {
    return value;
  }

  /** By a filter that can be sent to other nodes. */
  private static long counted(ConcurrentMap<String, String> map, String wanted) {
    return map.keySet().stream()
        .filter((Predicate<String> & Serializable) key -> key.equals(wanted))
        .count();
  }

  private static @Nullable Object done(Runnable operation) {
    operation.run();
    return null;
  }

  private static Map<String, String> visited(ConcurrentMap<String, String> map) {
    Map<String, String> visited = new TreeMap<>();
    map.forEach(visited::put);
    return visited;
  }

  private static Set<String> keysBut(ConcurrentMap<String, String> map, String other) {
    Set<String> keys = new TreeSet<>(map.keySet());
    keys.remove(other);
    return keys;
  }

  private static List<String> sorted(Iterable<String> values) {
    List<String> sorted = new ArrayList<>();
    values.forEach(sorted::add);
    sorted.sort(null);
    return sorted;
  }

  private static Set<String> setValues(ConcurrentMap<String, String> map, String value) {
    Set<String> before = new TreeSet<>();
    for (Map.Entry<String, String> entry : map.entrySet()) {
      if (entry.getKey().hashCode() % 3 == 0) {
        before.add(entry.getKey() + "=" + entry.setValue(value));
      }
    }
    return before;
  }

  private static Arguments arguments(Random random) {
    int how = random.nextInt(6);
    BiFunction<Object, @Nullable Object, @Nullable String> function =
        (first, second) ->
            switch (how) {
              case 0 -> null;
              case 1 -> throw new ArithmeticException("on purpose");
              default -> "v" + Math.floorMod(first.hashCode() + how, VALUES) + (second == null);
            };
    return new Arguments(
        random.nextInt(50) == 0 ? null : "k" + random.nextInt(KEYS),
        random.nextInt(50) == 0 ? null : "v" + random.nextInt(VALUES),
        (random.nextBoolean() ? "k" : "v") + random.nextInt(VALUES),
        function);
  }

  @Test
  void everyMapOperation_atRandom_doesWhatConcurrentHashMapDoes() {
    boolean isAlone = setting.cluster() == CacheSetting.Cluster.NONE;
    Seeds.run(
        isAlone ? SEEDS : 1,
        random -> {
          try (SteppedGrids grids = setting.start()) {
            grids.create(NAME, setting.config(CacheConfig.builder().segments(8)));
            compare(grids, random, isAlone ? STEPS : STEPS_IN_CLUSTER);
          }
        });
  }

  private void compare(SteppedGrids grids, Random random, int steps) {
    ConcurrentMap<String, String> expected = new ConcurrentHashMap<>();
    for (int step = 0; step < steps; step++) {
      int operation = random.nextInt(OPERATIONS.size());
      Arguments arguments = arguments(random);
      Cache<String, String> cache = cache(grids, arguments.nullableKey);
      assertEquals(
          outcome(operation, expected, arguments),
          outcome(operation, cache, arguments),
          () -> "operation " + operation + " of " + arguments);
      if (random.nextBoolean()) {
        grids.time.settle();
      }
      assertEquals(expected.entrySet(), cache.entrySet());
      assertEquals(expected.size(), cache.size());
      if (random.nextInt(500) == 0) {
        expected.clear();
        cache.clear();
      }
    }
  }

  /** The cache of the node that the viewpoint is, for a key. */
  private Cache<String, String> cache(SteppedGrids grids, @Nullable String key) {
    Cache<String, String> first = grids.nodes().getFirst().cache(NAME);
    int index = key == null ? 0 : ((EmbeddedCache<?, ?, ?, ?>) first).segmentOf(key);
    return grids.node(setting.viewpoint(), NAME, index).cache(NAME);
  }

  /** The result, or the type of the exception. */
  private static @Nullable Object outcome(
      int operation, ConcurrentMap<String, String> map, Arguments arguments) {
    try {
      return OPERATIONS.get(operation).on(map, arguments);
    } catch (NullPointerException | ArithmeticException expected) {
      return expected.getClass();
    }
  }
}
