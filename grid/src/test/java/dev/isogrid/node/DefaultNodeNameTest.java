package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Grid;
import org.junit.jupiter.api.Test;

class DefaultNodeNameTest {
  @Test
  void name_isHostAndProcess() {
    assertEquals("web1-17", DefaultNodeName.of("web1", 17));
    assertEquals("web1-17", DefaultNodeName.of("web1.example.com\n", 17));
    assertEquals("n-17", DefaultNodeName.of("", 17));
  }

  @Test
  void node_withoutAName_isCalledByHostAndProcess() {
    long process = ProcessHandle.current().pid();
    try (Grid grid = Grid.start()) {
      assertTrue(grid.nodeName().endsWith("-" + process), grid.nodeName());
      assertNotEquals("n-" + process, grid.nodeName());
    }
  }
}
