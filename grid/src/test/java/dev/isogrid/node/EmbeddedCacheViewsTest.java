package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys, values and entries as live collections, over every storage. */
@ParameterizedClass
@EnumSource(StorageType.class)
class EmbeddedCacheViewsTest {
  private static final int STABLE_KEYS = 600;
  private static final int PASSES = 40;

  private final CacheFixture fixture;
  private final Cache<String, String> cache;

  EmbeddedCacheViewsTest(StorageType storage) {
    fixture = new CacheFixture(storage);
    cache = fixture.cache;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Map<String, String> fill(int count) {
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < count; i++) {
      expected.put("k" + i, "v" + i);
    }
    cache.putAll(expected);
    return expected;
  }

  @Test
  void views_ofManyEntries_showEachOnce() {
    Map<String, String> expected = fill(1000);

    assertEquals(1000, List.copyOf(cache.keySet()).size());
    assertEquals(expected.keySet(), Set.copyOf(cache.keySet()));
    assertEquals(1000, List.copyOf(cache.values()).size());
    assertEquals(new HashSet<>(expected.values()), Set.copyOf(cache.values()));
    assertEquals(1000, cache.entrySet().size());
    assertEquals(expected.entrySet(), Set.copyOf(cache.entrySet()));
    assertEquals(expected.keySet(), cache.keySet());
    assertEquals(expected.hashCode(), cache.entrySet().hashCode());
  }

  @Test
  void views_afterLaterWrites_showThem() {
    Set<String> keys = cache.keySet();
    var values = cache.values();
    var entries = cache.entrySet();
    assertTrue(keys.isEmpty() && values.isEmpty() && entries.isEmpty());

    cache.put("a", "1");

    assertTrue(keys.contains("a") && values.contains("1"));
    assertTrue(entries.contains(Map.entry("a", "1")));
    assertFalse(entries.contains(Map.entry("a", "2")));
    assertEquals(1, values.size());
  }

  @Test
  void removals_throughViews_removeFromTheCache() {
    fill(10);

    assertTrue(cache.keySet().remove("k0"));
    assertFalse(cache.keySet().remove("k0"));
    assertTrue(cache.values().remove("v1"));
    assertFalse(cache.values().remove("v1"));
    assertTrue(cache.entrySet().remove(Map.entry("k2", "v2")));
    assertFalse(cache.entrySet().remove(Map.entry("k3", "v2")));
    assertTrue(cache.keySet().removeAll(Set.of("k4", "none")));
    assertTrue(cache.values().removeIf(value -> value.equals("v5")));
    assertTrue(cache.keySet().retainAll(Set.of("k6", "k7")));

    assertEquals(Set.of("k6", "k7"), cache.keySet());
    cache.entrySet().clear();
    assertEquals(0, cache.size());
  }

  @Test
  void removeIf_ofWhatIsWrittenMeanwhile_keepsIt() {
    fill(10);

    assertTrue(cache.entrySet().removeIf(entry -> isOld(entry.getKey(), entry.getValue())));
    assertEquals(Map.of("k1", "new"), cache);
    cache.put("k1", "v1");
    assertFalse(cache.values().removeIf(value -> isOld("k1", value)));
    assertEquals("new", cache.get("k1"));
  }

  /** Takes all values of {@link #fill}, and writes a new one for a key. */
  private boolean isOld(String key, String value) {
    if (key.equals("k1")) {
      cache.put(key, "new");
    }
    return value.startsWith("v");
  }

  @Test
  void spliterators_whileEntriesComeAndGo_giveThoseThatAreThere() {
    fill(10);
    Spliterator<String> keys = cache.keySet().spliterator();
    Spliterator<String> values = cache.values().spliterator();
    Spliterator<Map.Entry<String, String>> entries = cache.entrySet().spliterator();
    assertFalse(keys.hasCharacteristics(Spliterator.SIZED));
    assertFalse(values.hasCharacteristics(Spliterator.SIZED));
    assertFalse(entries.hasCharacteristics(Spliterator.SIZED));
    cache.keySet().retainAll(Set.of("k1", "k2"));

    assertEquals(2, StreamSupport.stream(cache.keySet().spliterator(), false).toArray().length);
    assertTrue(StreamSupport.stream(keys, false).toList().containsAll(Set.of("k1", "k2")));
    assertTrue(StreamSupport.stream(values, true).toList().containsAll(Set.of("v1", "v2")));
    assertTrue(StreamSupport.stream(entries, false).toList().contains(Map.entry("k1", "v1")));
  }

  @Test
  void additions_throughViews_workForEntriesOnly() {
    assertTrue(cache.entrySet().add(Map.entry("a", "1")));
    assertFalse(cache.entrySet().add(Map.entry("a", "1")));
    assertTrue(cache.entrySet().add(Map.entry("a", "2")));

    assertEquals("2", cache.get("a"));
    assertThrows(UnsupportedOperationException.class, () -> cache.keySet().add("b"));
    assertThrows(UnsupportedOperationException.class, () -> cache.values().add("b"));
  }

  @Test
  void iterator_remove_removesTheLastReturned() {
    fill(100);
    Iterator<String> iterator = cache.keySet().iterator();
    assertThrows(IllegalStateException.class, iterator::remove);

    String first = iterator.next();
    assertTrue(iterator.hasNext()); // looking ahead does not change what is removed
    iterator.remove();

    assertFalse(cache.containsKey(first));
    assertEquals(99, cache.size());
    assertThrows(IllegalStateException.class, iterator::remove);
    while (iterator.hasNext()) {
      iterator.next();
      iterator.remove();
    }
    assertTrue(cache.isEmpty());
    assertThrows(NoSuchElementException.class, iterator::next);
  }

  @Test
  void setValue_ofEntry_writesThrough() {
    fill(20);

    for (Map.Entry<String, String> entry : cache.entrySet()) {
      String old = entry.getValue();
      assertEquals(old, entry.setValue(old + "!"));
      assertEquals(old + "!", entry.getValue());
    }

    for (int i = 0; i < 20; i++) {
      assertEquals("v" + i + "!", cache.get("k" + i));
    }
  }

  @Test
  void iterator_whenEntriesExpireOnTheWay_leavesThemOut() {
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, "v", i % 2 == 0 ? new Expiry(10, -1) : Expiry.NEVER);
    }
    Iterator<String> iterator = cache.keySet().iterator();
    List<String> seen = new ArrayList<>();
    seen.add(iterator.next());
    assertTrue(iterator.hasNext()); // what was looked ahead at is returned whatever happens
    fixture.env.moveClock(10);
    seen.add(iterator.next());
    int before = seen.size();

    iterator.forEachRemaining(seen::add);

    assertTrue(
        seen.subList(before, seen.size()).stream()
            .allMatch(key -> Integer.parseInt(key.substring(1)) % 2 == 1));
  }

  @Test
  void iterator_ofEntriesWithMaxIdle_doesNotPostponeTheirEnd() {
    cache.put("a", "1", new Expiry(-1, 10));
    fixture.env.moveClock(9);
    assertEquals(1, List.copyOf(cache.values()).size());
    fixture.env.moveClock(1);

    assertNull(cache.get("a"));
  }

  @Test
  void iterators_whileWritersAddAndRemove_seeEveryLastingEntryOnce() {
    Seeds.run(1, this::iterateWhileWriting);
  }

  private void iterateWhileWriting(Random random) throws Exception {
    Set<String> stable = fill(STABLE_KEYS).keySet();
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long seed = random.nextLong();
        writers.add(threads.submit(() -> write(new Random(seed), stop)));
      }
      try {
        for (int pass = 0; pass < PASSES; pass++) {
          checkPass(stable);
        }
      } finally {
        stop.set(true);
      }
      for (Future<?> writer : writers) {
        writer.get(120, TimeUnit.SECONDS);
      }
    }
  }

  /** Adds up to 20,000 entries, which makes every table grow, and takes them away again. */
  private void write(Random random, AtomicBoolean stop) {
    int limit = 64;
    while (!stop.get()) {
      String key = "t" + random.nextInt(limit);
      if (random.nextInt(3) == 0) {
        cache.remove(key);
      } else {
        cache.put(key, key);
      }
      cache.put("k" + random.nextInt(STABLE_KEYS), "changed");
      limit = Math.min(limit + 1, 20_000);
    }
  }

  private void checkPass(Set<String> stable) {
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, String> entry : cache.entrySet()) {
      assertTrue(seen.add(entry.getKey()), () -> "twice: " + entry);
      boolean fitting =
          entry.getKey().startsWith("k")
              ? entry.getValue().equals("changed")
                  || entry.getValue().equals("v" + entry.getKey().substring(1))
              : entry.getValue().equals(entry.getKey());
      assertTrue(fitting, () -> "key and value of two entries: " + entry);
    }
    Set<String> missed = new HashSet<>(stable);
    missed.removeAll(seen);
    assertEquals(Set.of(), missed);
  }
}
