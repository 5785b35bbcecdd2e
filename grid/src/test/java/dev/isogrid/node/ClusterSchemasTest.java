package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ClusterSchemasTest {
  private static final String FILE = "x.proto";
  private static final int WRITERS = 8;
  private static final int LINES = 20;

  private static ClusterSchemas of(Grid grid) {
    Node node = (Node) grid;
    return new ClusterSchemas(
        () -> node.internalCache(InternalCaches.SCHEMAS, Transcoder.JAVA_OBJECT),
        () ->
            node.cacheNames().stream()
                .anyMatch(name -> Objects.requireNonNull(node.anyEngine(name)).isLockedByMe()),
        grid.nodeName());
  }

  @Test
  void replace_withALockHeld_isRefusedAtOnce() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      ClusterSchemas schemas = of(nodes.node(0));
      CacheConfig config =
          CacheConfig.builder().storage(StorageType.HEAP_BINARY).segments(1).build();
      nodes.node(0).cache("local", config);
      assertTrue(schemas.replace(FILE, null, "one"));
      nodes.awaitCopies();
      assertEquals("one", schemas.schema(FILE));
      var local = Objects.requireNonNull(((Node) nodes.node(0)).engine("local"));
      BinaryKey key = BinaryKey.of(new byte[] {1});
      List<Object> seen = new ArrayList<>();
      Await.until(
          "a read that need not wait",
          () -> {
            seen.clear();
            try {
              local.write(
                  key,
                  key.hash(),
                  (_, _) -> {
                    seen.add(String.valueOf(schemas.schema(FILE)));
                    seen.add(
                        assertThrows(
                                RetryableGridException.class,
                                () -> schemas.replace(FILE, "one", "two"))
                            .getMessage());
                  });
              return true;
            } catch (RetryableGridException moving) {
              return false; // a new topology stops reads for a moment
            }
          });

      assertEquals("one", seen.getFirst());
      assertTrue(seen.getLast().toString().contains("is being changed: node=n0"), seen::toString);
      assertTrue(schemas.replace(FILE, "one", "two"));
    }
  }

  @Test
  void replace_ofANodeAlone_comparesAndSets() {
    try (Grid alone = Grid.start()) {
      ClusterSchemas schemas = of(alone);
      assertNull(schemas.schema(FILE));
      assertFalse(schemas.replace(FILE, "old", "new"));
      assertTrue(schemas.replace(FILE, null, "one"));
      assertFalse(schemas.replace(FILE, null, "two"));
      assertFalse(schemas.replace(FILE, "two", "three"));
      assertTrue(schemas.replace(FILE, "one", "two"));
      assertEquals("two", schemas.schema(FILE));
    }
  }

  @Test
  void replace_byManyThreadsOfTwoNodes_losesNothing() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        ClusterSchemas schemas = of(nodes.node(i % 2));
        String line = i + "\n";
        writers.add(
            threads.submit(() -> {
              for (int n = 0; n < LINES; n++) {
                append(schemas, line);
              }
            }));
      }
      for (Future<?> each : writers) {
        each.get();
      }

      for (int node = 0; node < 2; node++) {
        String text = String.valueOf(of(nodes.node(node)).schema(FILE));
        assertEquals(WRITERS * LINES, text.lines().count());
      }
    }
  }

  private static void append(ClusterSchemas schemas, String line) {
    while (true) {
      String before = schemas.schema(FILE);
      if (schemas.replace(FILE, before, before == null ? line : before + line)) {
        return;
      }
    }
  }

  @Test
  void replace_withoutAMajority_saysSo() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      ClusterSchemas schemas = of(nodes.node(0));
      assertTrue(schemas.replace(FILE, null, "one"));
      nodes.awaitCopies();
      closeBoth(nodes.node(1), nodes.node(2));
      Node left = (Node) nodes.node(0);
      Await.until("no majority", () -> !left.hasMajority());

      String message =
          String.valueOf(
              assertThrows(RetryableGridException.class, () -> schemas.replace(FILE, "one", "two"))
                  .getMessage());

      assertTrue(message.startsWith("schema not "), message);
      assertTrue(message.contains("file=x.proto, node=n0"), message);
      assertTrue(message.contains("majority of the cluster once, since "), message);
    }
  }

  /** Closes nodes at the same time, so that neither sees the other leave. */
  private static void closeBoth(Grid one, Grid other) throws InterruptedException {
    Thread closing = Thread.ofVirtual().start(other::close);
    one.close();
    closing.join();
  }
}
