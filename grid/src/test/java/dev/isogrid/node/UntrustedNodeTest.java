package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.topology.NodeId;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A node that failed, or is being closed, answers for nothing any more. */
@Timeout(60)
class UntrustedNodeTest {
  private static final int LONG_MILLIS = 5000;

  private static CacheConfig.Builder config(CacheMode mode) {
    return CacheConfig.builder().mode(mode).segments(4);
  }

  /** Caches, and the capacity of the node that does not fail. */
  private static Stream<Arguments> caches() {
    CacheConfig both = config(CacheMode.REPL_SYNC).build();
    return Stream.of(
        Arguments.of("copies", both, 1),
        Arguments.of("own segments", config(CacheMode.DIST_SYNC).build(), 0),
        Arguments.of("stale", both.toBuilder().whenSplit(WhenSplit.ALLOW_READS).build(), 1),
        Arguments.of("sides", both.toBuilder().whenSplit(WhenSplit.ALLOW_READ_WRITES).build(), 1),
        Arguments.of("asynchronous", config(CacheMode.REPL_ASYNC).build(), 1),
        Arguments.of("invalidation", config(CacheMode.INVALIDATION_SYNC).build(), 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("caches")
  void operations_whenTheNodeFailed_areRefusedBeforeThePortIsClosed(
      String name, CacheConfig config, int othersCapacity) throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(othersCapacity, 1)) {
      grids.create("c", config);
      Node failing = grids.nodes().getLast();
      Cache<String, String> cache = failing.cache("c");
      grids.time.call(() -> cache.put("k", "v"));
      assertEquals("v", grids.time.call(() -> cache.get("k")));
      NodeId self = failing.calls().self();
      AtomicReference<@Nullable String> seen = new AtomicReference<>();
      grids.network().whenClosing(self, () -> seen.set(outcome(cache)));
      grids.network().failSending(self);
      grids.await(() -> seen.get() != null);
      assertEquals("refused", seen.get(), name);
      grids.time.pass(LONG_MILLIS);
      assertEquals("refused", outcome(cache), name);
    }
  }

  @Test
  void operations_whenTheNodeIsBeingClosed_areRefusedBeforeThePortIsClosed() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1, 1)) {
      grids.create("c", config(CacheMode.REPL_SYNC).build());
      Node closing = grids.nodes().getLast();
      Cache<String, String> cache = closing.cache("c");
      cache.put("k", "v");
      AtomicReference<@Nullable String> seen = new AtomicReference<>();
      grids.network().whenClosing(closing.calls().self(), () -> seen.set(outcome(cache)));
      grids.time.call(() -> {
        closing.close();
        return closing;
      });
      assertEquals("refused", seen.get());
    }
  }

  /** The outcome of operations on a cache: "refused" if each is refused at once. */
  private static String outcome(Cache<String, String> cache) {
    try {
      assertThrows(FatalGridException.class, () -> cache.get("k"));
      assertThrows(FatalGridException.class, () -> cache.put("k", "w"));
      assertThrows(FatalGridException.class, () -> cache.remove("k"));
      return "refused";
    } catch (AssertionError served) {
      return String.valueOf(served.getMessage());
    }
  }
}
