package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Local caches with a store. */
class KeptCacheTest {
  @TempDir private Path folder;

  private final AtomicLong nowMillis = new AtomicLong(1_900_000_000_000L);

  private Env env() {
    Env system = Env.system();
    return new Env(system.nanoClock(), nowMillis::get, system.random(), system.scheduler());
  }

  private static CacheConfig config(StorageType storage, Fsync fsync) {
    return CacheConfig.builder()
        .storage(storage)
        .segments(4)
        .fileStore(FileStore.builder().fsync(fsync).build())
        .build();
  }

  private Node start(Path data) {
    return Node.start(GridConfig.builder().dataFolder(data).build(), env());
  }

  private void run(Path data, CacheConfig config, Consumer<Cache<String, String>> use) {
    try (Node node = start(data)) {
      use.accept(node.createCache("Orders €", config));
    }
  }

  /** The folder as a process that is killed now would leave it. */
  private Path copy() {
    Path copy = folder.resolve("copy");
    try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(folder.resolve("data").relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
    return copy;
  }

  private static Map<String, String> contents(Cache<String, String> cache) {
    return new TreeMap<>(cache);
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void entries_afterCloseAndAfterKill_areThere(StorageType storage) {
    CacheConfig config = config(storage, Fsync.EACH);
    Map<String, String> expected = new TreeMap<>();
    Path[] killed = new Path[1];
    run(
        folder.resolve("data"),
        config,
        cache -> {
          Map<String, String> many = new HashMap<>();
          for (int i = 0; i < 100; i++) {
            many.put("key-" + i, "value-" + i);
          }
          cache.putAll(many);
          cache.put("large", "x".repeat(300_000));
          cache.remove("key-1");
          cache.computeIfPresent("key-2", (_, value) -> value + "!");
          cache.replace("key-3", "value-3", "other");
          expected.putAll(contents(cache));
          killed[0] = copy();
          cache.clear();
          cache.put("last", "one");
        });
    assertEquals(100, expected.size());
    assertEquals("value-2!", expected.get("key-2"));

    run(killed[0], config, cache -> assertEquals(expected, contents(cache)));
    run(
        folder.resolve("data"),
        config,
        cache -> assertEquals(Map.of("last", "one"), contents(cache)));
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void times_goOnByTheWallClock(StorageType storage) {
    CacheConfig config = config(storage, Fsync.INTERVAL);
    run(
        folder.resolve("data"),
        config,
        cache -> {
          cache.put("short", "s", 10, TimeUnit.SECONDS);
          cache.put("long", "l", 100, TimeUnit.SECONDS);
          cache.put("idle", "i", -1, TimeUnit.SECONDS, 20, TimeUnit.SECONDS);
          cache.put("seen", "s", -1, TimeUnit.SECONDS, 20, TimeUnit.SECONDS);
          cache.put("stays", "s");
          nowMillis.addAndGet(30_000);
          assertNull(cache.get("seen"));
        });
    run(
        folder.resolve("data"),
        config,
        cache -> {
          assertNull(cache.get("short"));
          assertNull(cache.get("seen"));
          assertEquals("i", cache.get("idle"), "a start counts as a use");
          assertEquals("l", cache.get("long"));
          nowMillis.addAndGet(70_000);
          assertNull(cache.get("long"));
          assertEquals(Map.of("stays", "s"), contents(cache));
        });
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void versions_surviveAndRise(StorageType storage) {
    CacheConfig config = config(storage, Fsync.NONE);
    long[] versions = new long[2];
    run(
        folder.resolve("data"),
        config,
        cache -> {
          cache.put("a", "1");
          cache.put("b", "1");
          versions[0] = version(cache, "a");
          versions[1] = version(cache, "b");
        });
    nowMillis.addAndGet(-1_000_000); // a clock that goes back must not bring versions up again
    run(
        folder.resolve("data"),
        config,
        cache -> {
          assertEquals(versions[0], version(cache, "a"));
          cache.put("b", "2");
          assertTrue(version(cache, "b") > versions[1]);
        });
  }

  private static long version(Cache<String, String> cache, String key) {
    CacheEntry<String, String> entry = cache.getEntry(key);
    assertNotNull(entry);
    return entry.version();
  }

  @Test
  void removeCache_deletesItsFiles() throws IOException {
    CacheConfig config = config(StorageType.OFF_HEAP, Fsync.EACH);
    try (Node node = start(folder)) {
      node.<String, String>createCache("c", config).put("k", "v");
      assertTrue(node.removeCache("c"));
      assertEquals(List.of(), list(folder.resolve("stores")));
      assertTrue(node.<String, String>createCache("c", config).isEmpty());
    }
  }

  private static List<Path> list(Path parent) throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files.toList();
    }
  }

  @Test
  void purgeAndReadOnly_loadNothingAndWriteNothing() {
    Path data = folder.resolve("data");
    CacheConfig written = config(StorageType.HEAP_BINARY, Fsync.EACH);
    run(data, written, cache -> cache.put("k", "v"));

    CacheConfig readOnly =
        written.toBuilder().fileStore(FileStore.builder().readOnly(true).build()).build();
    run(
        data,
        readOnly,
        cache -> {
          assertEquals("v", cache.put("k", "changed"));
          assertNull(cache.put("more", "m"));
        });
    run(data, written, cache -> assertEquals(Map.of("k", "v"), contents(cache)));

    CacheConfig purged =
        written.toBuilder().fileStore(FileStore.builder().purge(true).build()).build();
    run(data, purged, cache -> assertTrue(cache.isEmpty()));
    run(data, written, cache -> assertTrue(cache.isEmpty()));
  }

  @Test
  void damage_isRefusedWithFileOffsetAndCommand() throws IOException {
    Path data = folder.resolve("data");
    CacheConfig config = config(StorageType.OFF_HEAP, Fsync.EACH);
    run(data, config, cache -> cache.put("k", "v".repeat(1000)));
    Path store = list(data.resolve("stores")).getFirst();
    Path file =
        list(store).stream().filter(each -> each.toString().endsWith("1.log")).findAny().get();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);

    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> run(data, config, _ -> {}));
    for (String part : List.of(file.toString(), "offset=", "isogrid data repair " + store)) {
      assertTrue(String.valueOf(refusal.getMessage()).contains(part), refusal::getMessage);
    }
  }

  @Test
  void configurations_thatCantBeKept_areRefused() {
    CacheConfig config = config(StorageType.OFF_HEAP, Fsync.EACH);
    try (Node node = Node.start(GridConfig.builder().build(), env())) {
      InvalidRequestException refusal =
          assertThrows(InvalidRequestException.class, () -> node.createCache("c", config));
      assertTrue(String.valueOf(refusal.getMessage()).contains("--data"), refusal::getMessage);
      assertFalse(node.cacheNames().contains("c"));
    }
    CacheConfig.Builder evicting =
        config.toBuilder().maxCount(100).fileStore(FileStore.builder().readOnly(true).build());
    assertThrows(InvalidConfigurationException.class, evicting::build);
  }

  @ParameterizedTest
  @EnumSource(CacheMode.class)
  void eachMode_withoutACluster_isKept(CacheMode mode) {
    CacheConfig config = config(StorageType.HEAP_BINARY, Fsync.EACH).toBuilder().mode(mode).build();
    run(folder, config, cache -> cache.put("k", "v"));
    run(folder, config, cache -> assertEquals(Map.of("k", "v"), contents(cache)));
  }

  @Test
  void path_relative_isBelowTheStoresAndApartFromThoseOfOthers() throws IOException {
    CacheConfig plain = config(StorageType.HEAP_BINARY, Fsync.EACH);
    List<String> paths = List.of("a", "a/b", "./a//c", "stores", "caches");
    Path data = folder.resolve("data");
    try (Node node = start(data)) {
      node.<String, String>createCache("a", plain).put("k", "none");
      for (String path : paths) {
        CacheConfig config =
            plain.toBuilder()
                .fileStore(FileStore.builder().path(path).fsync(Fsync.EACH).build())
                .build();
        node.<String, String>createCache("a in " + path, config).put("k", path);
      }
      assertEquals(List.of(data.resolve("stores")), list(data));
      assertTrue(node.removeCache("a"));
    }
    assertTrue(Files.isDirectory(data.resolve("stores/@a/@b/a%20in%20a%2fb")));
    assertTrue(Files.isDirectory(data.resolve("stores/@a/@c/a%20in%20.%2fa%2f%2fc")));
  }

  @Test
  void removeCache_leavesTheStoreOfACacheThatIsCalledLikeARemovedOne() {
    CacheConfig config = config(StorageType.HEAP_BINARY, Fsync.EACH);
    try (Node node = start(folder)) {
      node.<String, String>createCache("c.removed", config).put("k", "v");
      node.<String, String>createCache("c", config).put("k", "v");
      assertTrue(node.removeCache("c"));
    }
    try (Node node = start(folder)) {
      assertEquals("v", node.<String, String>createCache("c.removed", config).get("k"));
    }
  }

  @Test
  void close_interrupted_writesAllThatIsLeft() {
    CacheConfig config = config(StorageType.HEAP_BINARY, Fsync.NONE);
    Node closed = start(folder);
    Cache<String, String> cache = closed.createCache("c", config);
    cache.put("large", "v".repeat(12_000_000)); // takes longer than closing does
    Thread.currentThread().interrupt();
    closed.close();
    assertTrue(Thread.interrupted());
    try (Node node = start(folder)) {
      assertEquals(1, node.createCache("c", config).size());
    }
  }

  @Test
  void store_inUse_isRefused() {
    CacheConfig config = config(StorageType.OFF_HEAP, Fsync.EACH);
    run(
        folder,
        config,
        _ -> {
          InvalidRequestException refusal =
              assertThrows(InvalidRequestException.class, () -> run(folder, config, _ -> {}));
          assertTrue(String.valueOf(refusal.getMessage()).contains("in use"), refusal::getMessage);
        });
  }
}
