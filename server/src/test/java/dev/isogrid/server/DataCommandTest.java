package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import dev.isogrid.testkit.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCommandTest {
  private static final int ENTRIES = 20;

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    out.reset();
    err.reset();
    return new DataCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(args);
  }

  private void use(Consumer<Cache<String, String>> use) {
    CacheConfig config =
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .segments(1)
            .fileStore(FileStore.builder().fsync(Fsync.EACH).build())
            .build();
    try (Node node = Node.start(GridConfig.builder().dataFolder(folder).build(), Env.system())) {
      use.accept(node.createCache("c", config));
    }
  }

  private void fill() {
    use(cache -> {
      for (int i = 0; i < ENTRIES; i++) {
        cache.put("key-" + i, "v".repeat(100));
      }
      cache.remove("key-0");
    });
  }

  private String store() {
    return folder.resolve("stores/c").toString();
  }

  private void damage() throws IOException {
    Path file = folder.resolve("stores/c/journal-0000000000000001.log");
    byte[] bytes = Files.readAllBytes(file);
    int entry = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("key-10");
    assertTrue(entry > 0);
    bytes[entry] ^= 4;
    Files.write(file, bytes);
  }

  @Test
  void repair_thatWasInterruptedBetweenItsRenames_isEndedByAnother() throws IOException {
    fill();
    Path store = folder.resolve("stores/c");
    Files.move(store, folder.resolve("stores/c@repaired"));
    GridException refused = assertThrows(GridException.class, () -> use(_ -> {}));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("data repair " + store), refused::getMessage);
    assertTrue(Files.notExists(store));

    assertEquals(0, run("repair", store.toString()));
    use(cache -> assertEquals(ENTRIES - 1, cache.size()));
  }

  @Test
  void check_memoryOfACluster_describesIt_orNamesTheDamagedFile() throws IOException {
    int port = FreePorts.several(1).getFirst();
    ClusterConfig alone =
        ClusterConfig.builder()
            .bindPort(port)
            .portRange(0)
            .seeds(List.of("127.0.0.1:" + port))
            .build();
    GridConfig config = GridConfig.builder().cluster(alone).dataFolder(folder).build();
    try (Node node = Node.start(config, Env.system())) {
      CacheConfig kept =
          CacheConfig.builder()
              .mode(CacheMode.DIST_SYNC)
              .segments(1)
              .fileStore(FileStore.builder().fsync(Fsync.EACH).build())
              .build();
      node.cache("kept", kept).put("k", "v");
    }
    Path memory = folder.resolve("cluster");
    assertEquals(0, run("check", memory.toString()));
    String found = out.toString(StandardCharsets.UTF_8);
    assertTrue(found.contains("members=1, caches=1"), found);

    for (String slot : List.of("memory.0", "memory.1")) {
      byte[] bytes = Files.readAllBytes(memory.resolve(slot));
      bytes[40] ^= 1;
      Files.write(memory.resolve(slot), bytes);
    }
    assertEquals(1, run("check", memory.toString()));
    String trouble = err.toString(StandardCharsets.UTF_8);
    assertTrue(trouble.contains("memory."), trouble);
  }

  @Test
  void check_wholeStore_countsAndExportsEntries() {
    fill();

    assertEquals(0, run("check", store()));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("cache=c, puts=20, removals=1"));
    assertEquals(0, run("export", store()));
    assertEquals(ENTRIES - 1, out.toString(StandardCharsets.UTF_8).lines().count());
  }

  @Test
  void repair_damagedStore_keepsAllOtherEntries() throws IOException {
    fill();
    damage();

    assertEquals(1, run("check", store()));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("offset="));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("`isogrid data repair " + store()));
    assertEquals(0, run("repair", store()), () -> err.toString(StandardCharsets.UTF_8));
    assertTrue(Files.isDirectory(folder.resolve("stores/c@damaged-1")));
    assertEquals(0, run("check", store()));
    use(cache -> {
      assertEquals(ENTRIES - 2, cache.size());
      cache.put("more", "m");
    });
    assertEquals(0, run("check", store()));
  }

  @Test
  void wrongWords_areRefused() {
    assertEquals(Main.EXIT_USAGE, run("delete", store()));
    assertEquals(1, run("check", folder.resolve("none").toString()));
    assertEquals(0, run("--help"));
  }
}
