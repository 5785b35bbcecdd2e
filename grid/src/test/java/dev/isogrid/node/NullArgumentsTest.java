package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Grid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@SuppressWarnings("NullAway") // what callers without the checker do
class NullArgumentsTest {
  private final Grid grid = Grid.start();
  private final Cache<String, String> cache = grid.cache("c");

  @AfterEach
  void close() {
    grid.close();
  }

  private static void assertNamed(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void nullArguments_areNamed() {
    assertNamed("name", () -> grid.cache(null));
    assertNamed("key", () -> cache.get(null));
    assertNamed("key", () -> cache.remove(null));
    assertNamed("value", () -> cache.put("k", null));
    assertNamed("key", () -> cache.put(null, "v"));
    assertNamed("key", () -> cache.computeIfAbsent(null, key -> "v"));
    assertNamed("key", () -> cache.putAsync(null, "v"));
    assertNamed("listener", () -> cache.addListener(null));
    assertNamed("value", () -> cache.containsValue(null));
  }
}
