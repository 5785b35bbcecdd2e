package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.IntCacheStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random streams over a cache beside the same ones of the JDK over a map with the same entries. */
final class StreamModel {
  private final Cache<String, Integer> cache;
  private final Map<String, Integer> model;
  private final Random random;

  StreamModel(Cache<String, Integer> cache, Map<String, Integer> model, Random random) {
    this.cache = cache;
    this.model = model;
    this.random = random;
  }

  /** Fills a cache and a map with the same entries. */
  static Map<String, Integer> fill(Cache<String, Integer> cache, int count, Random random) {
    Map<String, Integer> model = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String key = "k" + random.nextInt(count * 2);
      Integer value = random.nextInt(200) - 100;
      cache.put(key, value);
      model.put(key, value);
    }
    return model;
  }

  /** A stream and its expected equal. */
  private record Both(CacheStream<Integer> real, Stream<Integer> expected, boolean isOrdered) {}

  /** One random stream of values with random steps and a random terminal. */
  void step() {
    CacheStream<Integer> real =
        random.nextBoolean() ? cache.values().stream() : cache.values().parallelStream();
    if (random.nextInt(3) == 0) {
      real = real.distributedBatchSize(1 + random.nextInt(20));
    }
    if (random.nextInt(4) == 0) {
      real = real.sequentialDistribution();
    }
    Both both = new Both(real, model.values().stream(), false);
    int steps = random.nextInt(4);
    for (int i = 0; i < steps; i++) {
      both = with(both);
    }
    if (random.nextInt(3) == 0) {
      checkInts(both.real.mapToInt(each -> each), both.expected.mapToInt(each -> each));
    } else {
      check(both);
    }
  }

  private Both with(Both both) {
    int number = random.nextInt(7) - 3;
    CacheStream<Integer> real = both.real;
    Stream<Integer> expected = both.expected;
    return switch (random.nextInt(8)) {
      case 0 ->
          new Both(
              real.filter(each -> each % 3 != number),
              expected.filter(each -> each % 3 != number),
              both.isOrdered);
      case 1 ->
          new Both(
              real.map(each -> each * number), expected.map(each -> each * number), both.isOrdered);
      case 2 ->
          new Both(
              real.flatMap(each -> each > number ? Stream.of(each, each + 1) : Stream.of()),
              expected.flatMap(each -> each > number ? Stream.of(each, each + 1) : Stream.of()),
              both.isOrdered);
      case 3 -> new Both(real.distinct(), expected.distinct(), both.isOrdered);
      case 4 -> new Both(real.sorted(), expected.sorted(), true);
      case 5 ->
          new Both(
              real.sorted().skip(5).limit(20 + number),
              expected.sorted().skip(5).limit(20 + number),
              true);
      case 6 ->
          new Both(
              real.<Integer>mapMulti((each, sink) -> {
                if (each != number) {
                  sink.accept(-each);
                }
              }),
              expected.mapMulti((each, sink) -> {
                if (each != number) {
                  sink.accept(-each);
                }
              }),
              both.isOrdered);
      default ->
          new Both(
              real.mapToLong(each -> each).mapToObj(each -> (int) each),
              expected.mapToLong(each -> each).mapToObj(each -> (int) each),
              both.isOrdered);
    };
  }

  private void check(Both both) {
    CacheStream<Integer> real = both.real;
    Stream<Integer> expected = both.expected;
    switch (random.nextInt(9)) {
      case 0 -> assertEquals(expected.count(), real.count());
      case 1 -> assertEquals(expected.reduce(0, (a, b) -> a + b), real.reduce(0, (a, b) -> a + b));
      case 2 ->
          assertEquals(
              expected.collect(Collectors.groupingBy(each -> each % 5, Collectors.counting())),
              real.collect(
                  () -> Collectors.groupingBy((Integer each) -> each % 5, Collectors.counting())));
      case 3 -> assertEquals(expected.max(Integer::compare), real.max(Integer::compare));
      case 4 -> {
        List<Integer> all = expected.toList();
        assertEquals(all.stream().anyMatch(each -> each > 50), real.anyMatch(each -> each > 50));
      }
      case 5 -> {
        List<Integer> all = expected.toList();
        Optional<Integer> any = real.findAny();
        assertEquals(all.isEmpty(), any.isEmpty());
        any.ifPresent(each -> assertEquals(true, all.contains(each)));
      }
      case 6 -> {
        List<Integer> all = new ArrayList<>();
        try (real) {
          real.iterator().forEachRemaining(all::add);
        }
        assertSame(expected.toList(), all, both.isOrdered);
      }
      case 7 ->
          assertSame(
              expected.toList(),
              real.collect(ArrayList::new, ArrayList::add, ArrayList::addAll),
              both.isOrdered);
      default -> assertSame(expected.toList(), real.toList(), both.isOrdered);
    }
  }

  private void checkInts(IntCacheStream real, IntStream expected) {
    switch (random.nextInt(6)) {
      case 0 -> assertEquals(expected.sum(), real.sum());
      case 1 -> assertEquals(expected.min(), real.min());
      case 2 -> assertEquals(expected.average(), real.average());
      case 3 ->
          assertEquals(
              expected.summaryStatistics().toString(), real.summaryStatistics().toString());
      case 4 ->
          assertEquals(
              expected.filter(each -> each > 3).mapToLong(each -> each * 2L).sum(),
              real.filter(each -> each > 3).mapToLong(each -> each * 2L).sum());
      default -> assertEquals(expected.boxed().sorted().toList(), real.boxed().sorted().toList());
    }
  }

  private static void assertSame(List<Integer> expected, List<Integer> real, boolean isOrdered) {
    List<Integer> a = new ArrayList<>(expected);
    List<Integer> b = new ArrayList<>(real);
    if (!isOrdered) {
      Collections.sort(a);
      Collections.sort(b);
    }
    assertEquals(a, b);
  }

  /** Checks keys and entries, which are other parts of the same stream. */
  void checkParts() {
    assertEquals(model.keySet(), cache.keySet().stream().collect(() -> Collectors.toSet()));
    Map<String, Integer> all = new HashMap<>();
    cache.entrySet().stream()
        .toList()
        .forEach(each -> assertEquals(null, all.put(each.getKey(), each.getValue())));
    assertEquals(model, all);
    assertEquals(
        new TreeMap<>(model),
        cache.entrySet().stream()
            .collect(() ->
                Collectors.toMap(
                    each -> each.getKey(), each -> each.getValue(), (a, _) -> a, TreeMap::new)));
    assertEquals(model.size(), cache.keySet().stream().count());
    assertEquals(
        model.keySet().stream().filter(each -> each.endsWith("1")).count(),
        cache.keySet().stream().filter(each -> each.endsWith("1")).count());
  }
}
