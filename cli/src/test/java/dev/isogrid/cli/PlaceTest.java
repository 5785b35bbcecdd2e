package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PlaceTest {
  private static final Place CACHE = Place.of("caches", "c");

  @Test
  void resolve_relativeAndAbsolute() {
    assertEquals(CACHE, Place.ROOT.resolve("caches/c"));
    assertEquals(CACHE, Place.of("counters").resolve("/caches/c/"));
    assertEquals(Place.of("caches", "d"), CACHE.resolve("../d"));
    assertEquals(Place.ROOT, CACHE.resolve("../../.."));
    assertEquals(CACHE, CACHE.resolve("."));
    assertEquals(Place.of("caches", "c", "k"), CACHE.resolve("k"));
  }

  @Test
  void resolve_pathOfAContainer_isTheRoot() {
    assertEquals(CACHE, CACHE.resolve("//containers/default/caches/c"));
    assertEquals(Place.ROOT, CACHE.resolve("/containers"));
  }

  @Test
  void resolve_whatNobodyHas_isRefused() {
    assertThrows(UsageFailure.class, () -> Place.ROOT.resolve("nothing"));
    assertThrows(UsageFailure.class, () -> Place.ROOT.resolve("counters/a/b"));
    assertThrows(UsageFailure.class, () -> CACHE.resolve("k/l"));
  }

  @Test
  void toString_beginsAtTheRoot() {
    assertEquals("/", Place.ROOT.toString());
    assertEquals("/caches/c", CACHE.toString());
  }
}
