package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import dev.isogrid.server.net.SchemaCatalog.When;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a catalog that survive its server. */
class CatalogRestartTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder().storage(StorageType.OFF_HEAP).maxCount(9).build();

  @TempDir Path directory;

  private @Nullable Node node;
  private @Nullable CacheFiles files;

  private CacheCatalog restart() {
    close();
    CacheFiles opened = CacheFiles.open(directory);
    Node started = Node.start(GridConfig.builder().build(), Env.system());
    files = opened;
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

  @Test
  void schemas_areThere_withTheirErrors() {
    SchemaCatalog schemas = restart().schemas();
    schemas.write("a.proto", "package p; message A {}", When.ABSENT);
    schemas.write("bad.proto", "message {", When.ABSENT);
    schemas.write("gone.proto", "message G {}", When.ABSENT);
    schemas.remove("gone.proto");
    SchemaCatalog again = restart().schemas();
    assertEquals(schemas.files(), again.files());
    assertEquals(2, again.files().size());
    assertEquals(Map.of("bad.proto", schemas.errors().get("bad.proto")), again.errors());
    assertTrue(again.types().contains("p.A"));
  }

  @Test
  void templatesAndAliases_areThere_unlessVolatile() {
    CacheCatalog catalog = restart();
    catalog.templates().create("t", CONFIG, false);
    catalog.templates().create("v", CONFIG, true);
    catalog.createPermanent("c", CONFIG);
    catalog.assignAlias("alias", "c");
    CacheCatalog again = restart();
    assertEquals(Map.of("t", CONFIG), again.templates().all());
    assertEquals("c", again.aliased("alias"));
    again.templates().remove("t");
    again.remove("c");
    CacheCatalog last = restart();
    assertEquals(Map.of(), last.templates().all());
    assertNull(last.aliased("alias"));
    assertNull(last.config("c"));
  }

  @Test
  void changedAttribute_isKept() {
    CacheCatalog catalog = restart();
    catalog.createPermanent("c", CONFIG);
    catalog.createVolatile("v", CONFIG);
    catalog.updateAttribute("c", "memory.maxCount", "7");
    catalog.updateAttribute("c", "expiration.lifespan", "2m");
    catalog.updateAttribute("v", "memory.max-count", "7");
    CacheConfig expected = CONFIG.toBuilder().maxCount(7).lifespan(2, TimeUnit.MINUTES).build();
    assertEquals(expected, catalog.config("c"));
    CacheCatalog again = restart();
    assertEquals(expected, again.config("c"));
    assertNull(again.config("v"));
  }

  @Test
  void builtInCache_thatAClientRemoved_staysAway() {
    CacheCatalog catalog = restart();
    catalog.getOrCreateBuiltIn("default", CONFIG);
    assertTrue(catalog.remove("default"));
    CacheCatalog again = restart();
    again.getOrCreateBuiltIn("default", CONFIG);
    assertNull(again.config("default"));
    again.createVolatile("default", CONFIG);
    assertTrue(again.remove("default"));
    again.createPermanent("default", CONFIG);
    CacheCatalog last = restart();
    last.getOrCreateBuiltIn("default", CONFIG);
    assertNotNull(last.config("default"));
  }

  @Test
  void keptFile_thatIsNone_isNamed() throws IOException {
    assertNotNull(restart());
    close();
    for (String content : new String[] {"", "[]", "{\"a\":1}", "{\"a\":\"b\"} {}", "{\"a\""}) {
      Files.writeString(directory.resolve("schemas.json"), content);
      InvalidRequestException refused = assertThrows(InvalidRequestException.class, this::restart);
      assertTrue(String.valueOf(refused.getMessage()).contains("schemas.json"), content);
      close();
    }
  }
}
