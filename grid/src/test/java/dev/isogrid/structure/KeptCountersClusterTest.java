package dev.isogrid.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterConfig.Storage;
import dev.isogrid.api.Counters;
import dev.isogrid.node.EmbeddedNodes;
import dev.isogrid.node.Node;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of persistent counters on the nodes of a cluster. */
class KeptCountersClusterTest {
  private static final CounterConfig STRONG =
      CounterConfig.strong(0).withStorage(Storage.PERSISTENT);
  private static final int NODES = 3;

  @TempDir private Path folder;
  private EmbeddedNodes nodes;

  @BeforeEach
  void start() throws Exception {
    nodes = EmbeddedNodes.start(NODES);
    for (int i = 0; i < NODES; i++) {
      ((Node) nodes.node(i)).keepCounters(file(i));
    }
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private Path file(int node) {
    return folder.resolve("counters" + node);
  }

  /** A counter as a node that is killed now would bring it back, or null. */
  private @Nullable CounterState kept(int node, String name) {
    try {
      return CounterRecords.read(Files.readAllBytes(file(node))).counters().get(name);
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static long value(@Nullable CounterState kept) {
    assertNotNull(kept);
    return kept.value();
  }

  @Test
  void change_throughAnyNode_isInItsFileBeforeTheAnswer() {
    int rounds = 100;
    for (int round = 0; round < rounds; round++) {
      String name = "c" + round;
      for (int node = 0; node < NODES; node++) {
        Counters counters = nodes.node(node).counters();
        if (node == 0) {
          assertTrue(counters.define(name, STRONG));
          assertEquals(0, value(kept(node, name)));
        }
        for (int i = 0; i < 3; i++) {
          long answered = counters.strong(name).addAndGet(1);
          assertTrue(value(kept(node, name)) >= answered, name + " " + node + " " + i);
        }
      }
    }
    awaitFiles(rounds, 3L * NODES);
    for (int round = 0; round < rounds; round++) {
      int node = round % NODES;
      String name = "c" + round;
      assertTrue(nodes.node(node).counters().undefine(name));
      assertNull(kept(node, name));
      if (round % 2 == 0) {
        assertTrue(nodes.node(node).counters().define(name, STRONG));
        assertNotNull(kept(node, name));
      }
    }
    Await.until(
        "all files",
        () ->
            IntStream.range(0, NODES * rounds)
                .allMatch(i -> (kept(i % NODES, "c" + i / NODES) == null) == (i / NODES % 2 == 1)));
  }

  private void awaitFiles(int rounds, long expected) {
    Await.until(
        "all files",
        () ->
            IntStream.range(0, NODES * rounds)
                .mapToObj(i -> kept(i % NODES, "c" + i / NODES))
                .allMatch(kept -> kept != null && kept.value() == expected));
  }
}
