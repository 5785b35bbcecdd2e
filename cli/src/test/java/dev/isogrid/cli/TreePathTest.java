package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TreePathTest {
  private static final TreePath CACHE = TreePath.of("caches", "c");

  @Test
  void resolve_relativeAndAbsolute() {
    assertEquals(CACHE, TreePath.ROOT.resolve("caches/c"));
    assertEquals(CACHE, TreePath.of("counters").resolve("/caches/c/"));
    assertEquals(TreePath.of("caches", "d"), CACHE.resolve("../d"));
    assertEquals(TreePath.ROOT, CACHE.resolve("../../.."));
    assertEquals(CACHE, CACHE.resolve("."));
    assertEquals(TreePath.of("caches", "c", "k"), CACHE.resolve("k"));
  }

  @Test
  void resolve_pathOfAContainer_isTheRoot() {
    assertEquals(CACHE, CACHE.resolve("//containers/default/caches/c"));
    assertEquals(TreePath.ROOT, CACHE.resolve("/containers"));
  }

  @Test
  void resolve_whatNobodyHas_isRefused() {
    assertThrows(UsageFailure.class, () -> TreePath.ROOT.resolve("nothing"));
    assertThrows(UsageFailure.class, () -> TreePath.ROOT.resolve("counters/a/b"));
    assertThrows(UsageFailure.class, () -> CACHE.resolve("k/l"));
  }

  @Test
  void toString_beginsAtTheRoot() {
    assertEquals("/", TreePath.ROOT.toString());
    assertEquals("/caches/c", CACHE.toString());
  }
}
