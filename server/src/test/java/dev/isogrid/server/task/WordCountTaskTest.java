package dev.isogrid.server.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.ServerTask;
import dev.isogrid.api.StorageType;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The server's own task, on values that threads share. */
class WordCountTaskTest {
  private record Run(Grid grid, @Nullable Cache<?, ?> cache, Map<String, Object> parameters)
      implements ServerTask.Context {}

  @Test
  void wordsOfALargeText_areCountedOnce_withoutTheLengthBeforeThem() {
    String text = "one and two \u00fcber\n".repeat(150_000) + "last";
    try (Grid grid = Grid.start()) {
      Cache<String, String> cache =
          grid.cache(
              "c",
              CacheConfig.builder()
                  .storage(StorageType.HEAP_BINARY)
                  .encoding("application/x-protostream", "application/x-protostream")
                  .build());
      cache.put("k", text);
      Map<String, Long> counts = new WordCountTask().run(new Run(grid, cache, Map.of()));
      long lines = 150_000;
      assertEquals(
          Map.of("one", lines, "and", lines, "two", lines, "\u00fcber", lines, "last", 1L), counts);
    }
  }
}
