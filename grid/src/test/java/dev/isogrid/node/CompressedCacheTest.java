package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Compression;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cache that trains its dictionary while it is used. */
class CompressedCacheTest {
  /** Of about 150 B each: twice what a dictionary is trained from. */
  private static final int ENTRIES = 4_000;

  private final Grid grid = Grid.start();

  @AfterEach
  void close() {
    grid.close();
  }

  private Cache<Integer, String> cache(String name, StorageType storage, Compression compression) {
    return grid.cache(
        name, CacheConfig.builder().storage(storage).compression(compression).build());
  }

  private static String value(int i, int round) {
    return """
    {"id":%d,"round":%d,"name":"somebody %x","city":"Somewhere","active":%b,\
    "tags":["one","two"],"address":{"street":"Long Road","number":%d}}\
    """
        .formatted(i, round, i * 0x9E37_79B9, i % 3 == 0, i % 200);
  }

  private static void put(Cache<Integer, String> cache, int round) {
    for (int i = 0; i < ENTRIES; i++) {
      cache.put(i, value(i, round));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void values_afterTheTraining_takeLessMemoryAndAreReadAsTheyWere(StorageType storage) {
    Cache<Integer, String> plain = cache("plain", storage, Compression.NONE);
    put(plain, 2);
    Cache<Integer, String> cache = cache("compressed", storage, Compression.DICTIONARY);
    put(cache, 1);
    Await.until("a dictionary", () -> cache.memoryUse().dictionaryBytes() > 0);
    put(cache, 2);

    long bytes = cache.memoryUse().liveBytes();
    long plainBytes = plain.memoryUse().liveBytes();
    assertTrue(bytes < 0.6 * plainBytes, bytes + " of " + plainBytes);
    assertEquals(0, plain.memoryUse().dictionaryBytes());
    Map<Integer, String> expected = new HashMap<>();
    for (int i = 0; i < ENTRIES; i++) {
      assertEquals(value(i, 2), cache.get(i));
      expected.put(i, value(i, 2));
    }
    assertEquals(expected, new HashMap<>(cache));
    assertEquals(
        ENTRIES, cache.entrySet().stream().filter(e -> e.getValue().startsWith("{")).count());
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void conditionalWrites_compareWhatWasWritten(StorageType storage) {
    Cache<Integer, String> cache = cache("compressed", storage, Compression.DICTIONARY);
    put(cache, 1);
    Await.until("a dictionary", () -> cache.memoryUse().dictionaryBytes() > 0);
    put(cache, 2);

    assertTrue(cache.replace(1, value(1, 2), value(1, 3)));
    assertEquals(value(1, 3), cache.put(1, value(1, 4)));
    assertEquals(value(1, 4) + "!", cache.compute(1, (_, before) -> before + "!"));
    assertTrue(cache.remove(1, value(1, 4) + "!"));
    long version = Objects.requireNonNull(cache.getEntry(2)).version();
    assertTrue(version > 0);
    assertNotNull(cache.remove(2));
    assertEquals(ENTRIES - 2, cache.size());
  }

  @Test
  void entriesOfAStore_areReadByTheNextNode(@TempDir Path folder) {
    CacheConfig config =
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .compression(Compression.DICTIONARY)
            .fileStore(FileStore.builder().build())
            .build();
    GridConfig node = GridConfig.builder().dataFolder(folder).build();
    try (Grid first = Grid.start(node)) {
      Cache<Integer, String> cache = first.cache("kept", config);
      put(cache, 1);
      Await.until("a dictionary", () -> cache.memoryUse().dictionaryBytes() > 0);
      put(cache, 2);
    }
    try (Grid second = Grid.start(node)) {
      Cache<Integer, String> cache = second.cache("kept", config);
      for (int i = 0; i < ENTRIES; i++) {
        assertEquals(value(i, 2), cache.get(i));
      }
      assertEquals(ENTRIES, cache.size());
    }
  }
}
