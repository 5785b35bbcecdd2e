package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.node.Node;
import dev.isogrid.server.FailingDisk;
import dev.isogrid.server.FailingDisk.Step;
import dev.isogrid.server.net.SchemaCatalog.Outcome;
import dev.isogrid.server.net.SchemaCatalog.When;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes that the disk of the server refuses. */
class FullDiskTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder().storage(StorageType.OFF_HEAP).maxCount(9).build();
  private static final String SCHEMA = "package p; message M {}";

  @TempDir Path directory;

  private final FailingDisk disk = new FailingDisk();
  private PlayedWorld world = new PlayedWorld();
  private @Nullable Node node;
  private @Nullable CacheFiles files;

  private CacheCatalog restart() {
    close();
    world = new PlayedWorld();
    CacheFiles opened = CacheFiles.open(directory, disk);
    files = opened;
    Node started = Node.start(GridConfig.builder().build(), world.env());
    node = started;
    CacheCatalog catalog = new CacheCatalog(started, opened);
    catalog.begin();
    catalog.restore();
    return catalog;
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

  private void refused(String file, Executable change) {
    FatalGridException refusal = assertThrows(FatalGridException.class, change);
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains(file) && message.contains("No space left on device"), message);
  }

  private String content(String file) throws IOException {
    return Files.readString(directory.resolve(file));
  }

  private boolean hasDrafts() throws IOException {
    try (var paths = Files.walk(directory)) {
      return paths.anyMatch(path -> path.toString().endsWith(".draft"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "MOVE", "FORCE_FOLDER"})
  void schema_isRefused_andTakenLater(Step step) throws IOException {
    SchemaCatalog schemas = restart().schemas();
    schemas.write("a.proto", SCHEMA, When.ALWAYS);
    disk.fail(step);
    refused("schemas.json", () -> schemas.write("b.proto", "message B {}", When.ALWAYS));
    refused("schemas.json", () -> schemas.write("a.proto", "message C {}", When.ALWAYS));
    refused("schemas.json", () -> schemas.write("a.proto", "message C {}", When.PRESENT));
    refused("schemas.json", () -> schemas.remove("a.proto"));
    assertEquals(Outcome.NONE, schemas.write("a.proto", "message C {}", When.ABSENT));
    assertEquals(Map.of("a.proto", SCHEMA), schemas.files());
    assertEquals(Set.of("p.M"), schemas.types());
    assertFalse(hasDrafts());
    world.pass(5);
    assertEquals(Map.of("a.proto", SCHEMA), schemas.files());
    disk.mend();
    assertEquals(Outcome.CREATED, schemas.write("b.proto", "message B {}", When.ALWAYS));
    assertEquals(2, restart().schemas().files().size());
  }

  @Test
  void schemaThatWasRefused_isNotInTheFile_whateverTheDiskDid() throws IOException {
    SchemaCatalog schemas = restart().schemas();
    schemas.write("a.proto", SCHEMA, When.ALWAYS);
    disk.fail(Step.FORCE_FOLDER); // the file has its new content by then
    refused("schemas.json", () -> schemas.write("b.proto", "message B {}", When.ALWAYS));
    disk.mend();
    world.pass(2);
    assertFalse(content("schemas.json").contains("b.proto"));
    assertEquals(Map.of("a.proto", SCHEMA), restart().schemas().files());
  }

  @Test
  void directWrite_isNotRun_whenThereIsNoRoom() {
    SchemaCatalog schemas = restart().schemas();
    disk.fail(Step.WRITE);
    boolean[] isRun = {false};
    refused("schemas.json", () -> schemas.writeDirectly(100, () -> isRun[0] = true));
    assertFalse(isRun[0]);
    disk.mend();
    assertTrue(schemas.writeDirectly(100, () -> isRun[0] = true));
  }

  @Test
  void changeOfAnotherServer_isKeptLater_withGrowingPauses() throws IOException {
    CacheCatalog catalog = restart();
    SchemaCatalog schemas = catalog.schemas();
    boolean isDone =
        schemas.writeDirectly(
            0,
            () -> { // nobody asks this server's disk for changes of other servers
              disk.fail(Step.WRITE);
              return TextsOfOthers.put(node, SchemaCatalog.CACHE, "o.proto", "message O {}");
            });
    assertTrue(isDone);
    assertEquals(Set.of("o.proto"), schemas.files().keySet());
    assertFalse(Files.exists(directory.resolve("schemas.json")));
    int failures = disk.failures();
    world.pass(600);
    int attempts = disk.failures() - failures;
    assertTrue(attempts >= 10 && attempts <= 20, "attempts: " + attempts);
    disk.mend();
    world.pass(61);
    assertTrue(content("schemas.json").contains("o.proto"));
    assertEquals(Set.of("o.proto"), restart().schemas().files().keySet());
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "MOVE", "FORCE_FOLDER"})
  void templatesAndAliases_areRefused_andTakenLater(Step step) {
    CacheCatalog catalog = restart();
    catalog.createPermanent("c", CONFIG);
    catalog.assignAlias("alias", "c");
    disk.fail(step);
    refused("settings.json", () -> catalog.templates().create("t", CONFIG, false));
    refused("settings.json", () -> catalog.assignAlias("other", "c"));
    assertEquals(Map.of(), catalog.templates().all());
    assertNull(catalog.aliased("other"));
    catalog.templates().create("volatile", CONFIG, true);
    disk.mend();
    catalog.templates().create("t", CONFIG, false);
    CacheCatalog again = restart();
    assertEquals(Map.of("t", CONFIG), again.templates().all());
    assertEquals("c", again.aliased("alias"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "MOVE", "FORCE_FOLDER"})
  void permanentCache_isNotCreated(Step step) throws IOException {
    CacheCatalog catalog = restart();
    disk.fail(step);
    refused("caches", () -> catalog.createPermanent("c", CONFIG));
    assertNull(catalog.config("c"));
    assertFalse(hasDrafts());
    disk.mend();
    assertNull(restart().config("c"));
    restart().createPermanent("c", CONFIG);
    assertNotNull(restart().config("c"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "MOVE", "FORCE_FOLDER"})
  void attribute_isNotChanged_andTheFormerFileStays(Step step) throws IOException {
    CacheCatalog catalog = restart();
    catalog.createPermanent("c", CONFIG);
    String former = content("caches/c.json");
    disk.fail(step);
    refused("caches", () -> catalog.updateAttribute("c", "memory.maxCount", "7"));
    assertEquals(CONFIG, catalog.config("c"));
    assertEquals(former, content("caches/c.json"));
    disk.mend();
    assertEquals(CONFIG, restart().config("c"));
    CacheCatalog again = restart();
    again.updateAttribute("c", "memory.maxCount", "7");
    assertEquals(7, assertNotNullAnd(restart().config("c")).maxCount());
  }

  private static CacheConfig assertNotNullAnd(@Nullable CacheConfig config) {
    assertNotNull(config);
    return config;
  }

  @Test
  void start_onAFullDisk_hasWhatWasKept() {
    CacheCatalog catalog = restart();
    catalog.schemas().write("a.proto", SCHEMA, When.ALWAYS);
    catalog.schemas().write("bad.proto", "message {", When.ALWAYS);
    catalog.templates().create("t", CONFIG, false);
    catalog.createPermanent("c", CONFIG);
    disk.fail(Step.WRITE);
    CacheCatalog again = restart();
    assertEquals(Set.of("a.proto", "bad.proto"), again.schemas().files().keySet());
    assertEquals(Set.of("bad.proto"), again.schemas().errors().keySet());
    assertEquals(Map.of("t", CONFIG), again.templates().all());
    assertNotNull(again.config("c"));
  }
}
