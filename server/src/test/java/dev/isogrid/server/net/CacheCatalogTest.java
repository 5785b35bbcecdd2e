package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheCatalogTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder()
          .mode(CacheMode.DIST_SYNC)
          .storage(StorageType.HEAP_BINARY)
          .segments(16)
          .statistics(true)
          .lifespan(30, TimeUnit.MINUTES)
          .encoding("text/plain", "application/json")
          .build();

  @TempDir Path directory;

  private @Nullable Node node;
  private @Nullable CacheFiles files;

  /** Ends the previous instance, like a process that stops, and starts anew. */
  private CacheCatalog restart() {
    close();
    CacheFiles opened = CacheFiles.open(directory);
    Node started = Node.start(GridConfig.builder().build(), Env.system());
    files = opened;
    node = started;
    return new CacheCatalog(started, opened);
  }

  private Set<String> names() {
    return node == null ? Set.of() : node.cacheNames();
  }

  private CacheConfig config(String name) {
    assertNotNull(node);
    var engine = node.engine(name);
    assertNotNull(engine);
    return engine.config();
  }

  @AfterEach
  void close() {
    if (node != null) {
      node.close();
      node = null;
    }
    if (files != null) {
      files.close();
      files = null;
    }
  }

  private List<String> fileNames() throws IOException {
    try (Stream<Path> found = Files.list(directory.resolve("caches"))) {
      return found.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void createPermanent_restart_isThereAgainAsItWas() {
    restart().createPermanent("orders", CONFIG);
    assertEquals(Set.of("orders"), names());
    CacheCatalog catalog = restart();
    assertEquals(Set.of(), names());
    assertEquals(List.of(), catalog.restore());
    assertEquals(Set.of("orders"), names());
    assertEquals(CONFIG, config("orders"));
  }

  @Test
  void createVolatile_restart_isGone() throws IOException {
    restart().createVolatile("orders", CONFIG);
    assertEquals(Set.of("orders"), names());
    assertEquals(List.of(), fileNames());
    restart().restore();
    assertEquals(Set.of(), names());
  }

  @Test
  void remove_permanent_staysAway() throws IOException {
    CacheCatalog catalog = restart();
    catalog.createPermanent("orders", CONFIG);
    assertTrue(catalog.remove("orders"));
    assertFalse(catalog.remove("orders"));
    assertEquals(Set.of(), names());
    assertEquals(List.of(), fileNames());
  }

  @Test
  void create_existing_isRefusedOrLeftAlone() {
    CacheCatalog catalog = restart();
    catalog.createPermanent("a", CONFIG);
    assertThrows(InvalidRequestException.class, () -> catalog.createPermanent("a", CONFIG));
    assertThrows(InvalidRequestException.class, () -> catalog.createVolatile("a", CONFIG));
    assertFalse(catalog.getOrCreatePermanent("a", CONFIG.toBuilder().segments(1).build()));
    assertFalse(catalog.getOrCreateVolatile("a", CONFIG));
    restart().restore();
    assertEquals(CONFIG, config("a"));
  }

  @Test
  void create_objectStorage_isRefusedAndNothingKept() throws IOException {
    CacheConfig objects = CacheConfig.builder().build();
    CacheCatalog catalog = restart();
    assertThrows(InvalidRequestException.class, () -> catalog.createPermanent("a", objects));
    assertThrows(InvalidRequestException.class, () -> catalog.createVolatile("a", objects));
    assertEquals(Set.of(), names());
    assertEquals(List.of(), fileNames());
  }

  @Test
  void createPermanent_withoutDirectory_isLikeVolatile() {
    try (Node alone = Node.start(GridConfig.builder().build(), Env.system())) {
      CacheCatalog catalog = new CacheCatalog(alone, null);
      assertFalse(catalog.isPersistent());
      catalog.createPermanent("a", CONFIG);
      assertEquals(List.of(), catalog.restore());
      assertEquals(Set.of("a"), alone.cacheNames());
    }
  }

  @Test
  void open_draftOfAStoppedProcess_isDeletedAndDoesNotCount() throws IOException {
    restart().createPermanent("whole", CONFIG);
    close();
    Path caches = directory.resolve("caches");
    String document = Files.readString(caches.resolve("whole.json"));
    Files.writeString(
        caches.resolve("torn.json.draft"), document.substring(0, document.length() / 2));
    restart().restore();
    assertEquals(Set.of("whole"), names());
    assertEquals(List.of("whole.json"), fileNames());
  }

  @Test
  void restore_tornFile_isRefusedByItsName() throws IOException {
    restart().createPermanent("a", CONFIG);
    close();
    Path file = directory.resolve("caches").resolve("a.json");
    String document = Files.readString(file);
    Files.writeString(file, document.substring(0, document.length() / 2));
    CacheCatalog catalog = restart();
    InvalidRequestException refused = assertThrows(InvalidRequestException.class, catalog::restore);
    assertTrue(String.valueOf(refused.getMessage()).contains("a.json"), refused.getMessage());
  }

  @Test
  void restore_fileOfAnotherName_isRefused() throws IOException {
    restart().createPermanent("a", CONFIG);
    close();
    Path caches = directory.resolve("caches");
    Files.move(caches.resolve("a.json"), caches.resolve("b.json"));
    assertThrows(InvalidRequestException.class, restart()::restore);
  }

  @Test
  void restore_nameDefinedAlready_isReportedAndKept() throws IOException {
    restart().createPermanent("a", CONFIG);
    CacheCatalog catalog = restart();
    CacheConfig other = CONFIG.toBuilder().segments(1).build();
    catalog.createVolatile("a", other);
    assertEquals(List.of("a"), catalog.restore());
    assertEquals(other, config("a"));
    assertEquals(List.of("a.json"), fileNames());
  }

  @Test
  void restore_sameConfigurationDefinedAlready_isNotReported() {
    restart().createPermanent("a", CONFIG);
    CacheCatalog catalog = restart();
    catalog.createVolatile("a", CONFIG);
    assertEquals(List.of(), catalog.restore());
    assertEquals(CONFIG, config("a"));
  }

  @Test
  void createPermanent_diskRefuses_leavesNoCache() throws IOException {
    CacheCatalog catalog = restart();
    Files.delete(directory.resolve("caches"));
    assertThrows(FatalGridException.class, () -> catalog.createPermanent("a", CONFIG));
    assertEquals(Set.of(), names());
  }

  @Test
  void createPermanent_namesOfAnyKind_comeBack() {
    List<String> names =
        List.of("a/b", "..", "a b", "A%41", "\u00fc\u20ac", "x".repeat(255), "/".repeat(255));
    CacheCatalog catalog = restart();
    names.forEach(name -> catalog.createPermanent(name, CONFIG));
    restart().restore();
    assertEquals(Set.copyOf(names), names());
    names.forEach(name -> assertTrue(CacheFiles.fileName(name).length() <= 249, name));
    Set<String> fileNames = new HashSet<>();
    names.forEach(name -> fileNames.add(CacheFiles.fileName(name)));
    assertEquals(names.size(), fileNames.size());
  }

  @Test
  void open_directoryInUse_isRefused() {
    restart();
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> CacheFiles.open(directory));
    assertTrue(String.valueOf(refused.getMessage()).contains("in use"), refused.getMessage());
    close();
    CacheFiles.open(directory).close();
  }

  @Test
  void open_fileInTheWay_isRefused() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThrows(InvalidRequestException.class, () -> CacheFiles.open(file));
  }

  @Test
  void getOrCreate_byManyAtOnce_isCreatedByOne() throws Exception {
    CacheCatalog catalog = restart();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 20; round++) {
        String name = "cache" + round;
        Callable<Boolean> call = () -> catalog.getOrCreatePermanent(name, CONFIG);
        int created = 0;
        for (Future<Boolean> result : threads.invokeAll(Collections.nCopies(8, call))) {
          created += result.get() ? 1 : 0;
        }
        assertEquals(1, created);
      }
    }
    assertEquals(20, names().size());
  }

  @Test
  void caches_beyondTheLimits_areRefusedOnceTheServersOwnAreThere() {
    restart();
    assertNotNull(node);
    long before = node.segmentsOfAllCaches();
    CacheCatalog catalog =
        new CacheCatalog(node, files, Map.of(), new CacheLimits(node, 4, before + 100));
    catalog.createVolatile("own", CONFIG.toBuilder().segments(84).build());
    catalog.beginLimits();
    catalog.createVolatile("a", CONFIG);
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> catalog.createPermanent("b", CONFIG));
    assertTrue(String.valueOf(refused.getMessage()).contains("remove caches"), refused::getMessage);
    assertEquals(Set.of("own", "a"), names());
    catalog.remove("own");
    for (int i = 0; i < 3; i++) {
      catalog.getOrCreateVolatile("c" + i, CONFIG);
    }
    assertThrows(InvalidRequestException.class, () -> catalog.getOrCreateVolatile("fifth", CONFIG));
    catalog.getOrCreateVolatile("c0", CONFIG);
    assertEquals(4, names().size());
  }

  @Test
  void cachesOfTheServerItself_areCreatedBeyondTheLimits() {
    restart();
    assertNotNull(node);
    CacheCatalog catalog = new CacheCatalog(node, files, Map.of(), new CacheLimits(node, 1, 1));
    catalog.createVolatile("a", CONFIG);
    catalog.createVolatile("b", CONFIG);
    assertEquals(Set.of("a", "b"), names());
    catalog.beginLimits();
    assertThrows(InvalidRequestException.class, () -> catalog.createVolatile("c", CONFIG));
  }

  @Test
  void cacheThatWasRefused_countsNoMore() {
    restart();
    assertNotNull(node);
    CacheLimits limits = new CacheLimits(node, 2, node.segmentsOfAllCaches() + 100);
    limits.begin();
    limits.reserve("a", 100);
    assertThrows(InvalidRequestException.class, () -> limits.reserve("b", 1));
    limits.endReserving(100);
    limits.reserve("b", 100);
  }
}
