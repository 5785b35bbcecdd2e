package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MultimapCache;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.base.FakeEnv;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Multimaps of a node that is alone. */
class MultimapTest {
  private static final CacheConfig BYTES =
      CacheConfig.builder().storage(StorageType.HEAP_BINARY).segments(4).build();

  private final Grid grid = Grid.start();
  private final MultimapCache<String, String> set = grid.multimap("m", BYTES, false);
  private final MultimapCache<String, String> list = grid.multimap("m", BYTES, true);

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void values_withoutDuplicates_areThereOnce() {
    set.put("k", "b");
    set.put("k", "a");
    set.put("k", "b");
    assertEquals(List.of("b", "a"), set.get("k"));
    assertEquals(List.of(), set.get("x"));
    assertEquals(2, set.size());
    assertTrue(set.containsKey("k"));
    assertFalse(set.containsKey("x"));
    assertTrue(set.containsEntry("k", "a"));
    assertFalse(set.containsEntry("k", "c"));
    assertFalse(set.containsEntry("x", "a"));
    assertTrue(set.containsValue("b"));
    assertFalse(set.containsValue("c"));
    assertFalse(set.supportsDuplicates());
    assertEquals("m", set.name());
    assertEquals(Set.of("m"), grid.cacheNames());
  }

  @Test
  void values_withDuplicates_areThereAsOftenAsTheyWerePut() {
    list.put("k", "b");
    list.put("k", "a");
    list.put("k", "b");
    assertEquals(List.of("b", "a", "b"), list.get("k"));
    assertEquals(3, list.size());
    assertTrue(list.remove("k", "b"));
    assertFalse(list.remove("k", "b"));
    assertEquals(List.of("a"), list.get("k"));
  }

  @Test
  void values_inOneCache_areSeenInBothWays() {
    list.put("k", "a");
    list.put("k", "a");
    set.put("k", "a");
    set.put("k", "b");
    assertEquals(List.of("a", "a", "b"), list.get("k"));
    assertEquals(List.of("a", "b"), set.get("k"));
    assertEquals(3, list.size());
    assertEquals(2, set.size());
    assertTrue(set.remove("k", "a"));
    assertEquals(List.of("b"), list.get("k"));
  }

  @Test
  void remove_ofLastValue_removesTheEntry() {
    set.put("k", "a");
    set.put("j", "a");
    assertTrue(set.remove("k", "a"));
    assertFalse(set.remove("k"));
    assertTrue(set.remove("j"));
    assertFalse(set.remove("j", "a"));
    assertEquals(0, set.size());
    assertTrue(grid.cache("m").isEmpty());
  }

  @Test
  void entry_thatIsNoList_isLeftAlone() {
    grid.<String, String>cache("m").put("plain", "a");
    set.put("k", "a");
    assertThrows(InvalidRequestException.class, () -> set.put("plain", "b"));
    assertThrows(InvalidRequestException.class, () -> set.get("plain"));
    assertThrows(InvalidRequestException.class, () -> set.remove("plain"));
    assertThrows(InvalidRequestException.class, () -> set.remove("plain", "a"));
    assertEquals(1, set.size());
    assertEquals("a", grid.<String, String>cache("m").get("plain"));
  }

  @Test
  void values_thatWouldBeTooLarge_areRefused() {
    MultimapCache<String, byte[]> large = grid.multimap("large", BYTES, true);
    byte[] value = new byte[3 << 20];
    IntStream.range(0, 3).forEach(_ -> large.put("k", value));
    assertThrows(InvalidRequestException.class, () -> large.put("k", value));
    assertEquals(3, large.size());
  }

  @Test
  void multimap_ofDefaultConfiguration_keepsBytes() {
    MultimapCache<String, Integer> map = grid.multimap("default");
    map.put("k", 1);
    assertEquals(List.of(1), map.get("k"));
    grid.cache("objects");
    assertThrows(InvalidRequestException.class, () -> grid.multimap("objects"));
    assertThrows(InvalidRequestException.class, () -> grid.multimap("___x"));
  }

  @Test
  void asyncOperations_meanTheSame() throws Exception {
    set.putAsync("k", "a").get();
    assertEquals(List.of("a"), set.getAsync("k").get());
    assertTrue(set.containsKeyAsync("k").get());
    assertTrue(set.containsEntryAsync("k", "a").get());
    assertTrue(set.containsValueAsync("a").get());
    assertEquals(1, set.sizeAsync().get());
    assertTrue(set.removeAsync("k", "a").get());
    assertFalse(set.removeAsync("k").get());
  }

  @ParameterizedTest
  @EnumSource(value = StorageType.class, names = "HEAP_OBJECT", mode = EnumSource.Mode.EXCLUDE)
  void randomOperations_likeThoseOfAModel(StorageType storage) {
    CacheConfig config = BYTES.toBuilder().storage(storage).build();
    long seed = Long.getLong("seed", System.identityHashCode(storage));
    Random random = new Random(seed);
    for (boolean duplicates : new boolean[] {false, true}) {
      MultimapCache<Integer, Integer> map = grid.multimap("r" + duplicates, config, duplicates);
      Map<Integer, List<Integer>> model = new HashMap<>();
      for (int step = 0; step < 3_000; step++) {
        int key = random.nextInt(8);
        int value = random.nextInt(6);
        List<Integer> expected = model.computeIfAbsent(key, _ -> new ArrayList<>());
        String at = "seed=%d, step=%d".formatted(seed, step);
        switch (random.nextInt(8)) {
          case 0 -> {
            assertEquals(!expected.isEmpty(), map.remove(key), at);
            expected.clear();
          }
          case 1 -> {
            List<Integer> unwanted = List.of(value);
            assertEquals(expected.removeAll(unwanted), map.remove(key, value), at);
          }
          case 2 -> assertEquals(expected.contains(value), map.containsEntry(key, value), at);
          default -> {
            map.put(key, value);
            expected.add(value);
            if (!duplicates) {
              model.put(key, new ArrayList<>(new LinkedHashSet<>(expected)));
            }
          }
        }
        assertEquals(model.get(key), map.get(key), at);
      }
      assertEquals(model.values().stream().mapToInt(List::size).sum(), map.size());
      Set<Integer> all = new HashSet<>();
      model.values().forEach(all::addAll);
      IntStream.range(0, 6).forEach(v -> assertEquals(all.contains(v), map.containsValue(v)));
    }
  }

  @Test
  void asynchronousReads_ofAMultimapWithAStore_leaveTheCaller() {
    FakeEnv env = new FakeEnv();
    try (Node node = Node.start(GridConfig.builder().nodeName("n").build(), env.env())) {
      CacheConfig backed = BYTES.toBuilder().store(StoreConfig.of(new MapStore()).build()).build();
      MultimapCache<String, String> multimap = node.multimap("m", backed, false);
      CompletableFuture<Collection<String>> found = multimap.getAsync("k");
      assertFalse(found.isDone());
      env.runTasks();
      assertEquals(List.of(), found.join());
    }
  }
}
