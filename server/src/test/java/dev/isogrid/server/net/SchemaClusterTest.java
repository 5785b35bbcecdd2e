package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import dev.isogrid.server.net.SchemaCatalog.When;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Schemas that no parser accepts, in a cluster over TCP and in the files of a stopped one. */
@Timeout(120)
class SchemaClusterTest {
  private static final String DEEP = "message M {".repeat(30_000);
  private static final String COMMENT = "/** " + "@A(".repeat(50_000) + "*/ message A {}";
  private static final String RESERVED = "message R { reserved 1 to 536870911; }";
  private static final Set<String> BAD = Set.of("comment.proto", "deep.proto", "reserved.proto");

  @TempDir Path directory;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private int seedPort;

  private Node node(String name) throws IOException {
    int port = FreePorts.one();
    seedPort = seedPort == 0 ? port : seedPort;
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(List.of("127.0.0.1:" + seedPort))
            .joinTimeout(30, TimeUnit.SECONDS)
            .build();
    Node node =
        Node.start(GridConfig.builder().nodeName(name).cluster(cluster).build(), Env.system());
    opened.add(node);
    return node;
  }

  private CacheCatalog catalog(Node node, String folder) {
    CacheFiles files = CacheFiles.open(directory.resolve(folder));
    opened.add(files);
    CacheCatalog catalog = new CacheCatalog(node, files);
    catalog.begin();
    return catalog;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    opened.clear();
  }

  private static void putBad(Node node) {
    TextsOfOthers.put(node, SchemaCatalog.CACHE, "deep.proto", DEEP);
    TextsOfOthers.put(node, SchemaCatalog.CACHE, "comment.proto", COMMENT);
    TextsOfOthers.put(node, SchemaCatalog.CACHE, "reserved.proto", RESERVED);
  }

  @Test
  void joiningServer_startsWithAnything_andHasTheErrors() throws Exception {
    Node first = node("n0");
    SchemaCatalog schemas = catalog(first, "a").schemas();
    schemas.write("good.proto", "package p; message G {}", When.ALWAYS);
    putBad(first);
    SchemaCatalog joined = catalog(node("n1"), "b").schemas();
    assertEquals(BAD, joined.errors().keySet());
    assertEquals(Set.of("p.G"), joined.types());
    joined.write("more.proto", "package p; message More {}", When.ALWAYS);
    assertFalse(joined.isBehind());
    schemas.refresh();
    assertEquals(BAD, schemas.errors().keySet());
    assertEquals(Set.of("p.G", "p.More"), schemas.types());
    assertTrue(
        Files.readString(directory.resolve("b").resolve("schemas.json")).contains("p; message G"));
  }

  @Test
  void server_startsAgain_withAnythingInItsFile() throws Exception {
    Path folder = Files.createDirectories(directory.resolve("a"));
    Files.writeString(
        folder.resolve("schemas.json"),
        """
        {"deep.proto":"%s", "comment.proto":"%s", "reserved.proto":"%s", "":"", ".proto":"x",
         "good.proto":"package p; message G {}", "%s.proto":"", "odd":"%s"}
        """
            .formatted(DEEP, COMMENT, RESERVED, "n".repeat(60_000), "\\u0000\\ud800"));
    SchemaCatalog schemas = catalog(node("n0"), "a").schemas();
    assertEquals(BAD, schemas.errors().keySet());
    assertEquals(Set.of("p.G"), schemas.types());
    schemas.remove("deep.proto");
    schemas.write("reserved.proto", "message R { reserved 1 to max; }", When.ALWAYS);
    assertEquals(Set.of("comment.proto"), schemas.errors().keySet());
  }
}
