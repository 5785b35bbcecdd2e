package dev.isogrid.stream;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.function.SerializableSupplier;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.node.Node;
import dev.isogrid.node.SteppedGrids;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The part of a stream that a node answers at a time. */
class StreamSliceTest {
  private static final int SEGMENTS = 16;
  private static final int VALUES = 40;

  @Test
  void answer_withAResultThatMayGrow_isOfSomeMebibytesOfEntries() throws Exception {
    try (SteppedGrids grids = SteppedGrids.start(1);
        ExecutorService pool = Executors.newSingleThreadExecutor()) {
      grids.create("c", CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(SEGMENTS).build());
      Node node = grids.nodes().getFirst();
      Cache<Integer, byte[]> cache = node.cache("c");
      for (int i = 0; i < VALUES; i++) {
        cache.put(i, new byte[1 << 20]);
      }
      SerializableSupplier<Collector<Object, ?, Long>> counting = Collectors::counting;
      assertTrue(segmentsAnswered(node, pool, Terminal.of(Terminal.Kind.COLLECTOR, counting)) < 10);
      assertEquals(SEGMENTS, segmentsAnswered(node, pool, Terminal.of(Terminal.Kind.COUNT)));
      assertEquals(
          (long) VALUES,
          grids.time.call(() -> cache.values().stream().collect(() -> Collectors.counting())));
    }
  }

  private static int segmentsAnswered(Node node, ExecutorService pool, Terminal terminal)
      throws InterruptedException {
    CacheEngine<BinaryKey, Bytes> engine = requireNonNull(node.engine("c"));
    StreamCache<BinaryKey, Bytes, BinaryKey, Bytes> raw =
        new StreamCache<>(
            engine,
            RawForm.INSTANCE,
            () -> {
              throw new AssertionError("no functions");
            });
    Pipeline pipeline =
        new Pipeline("c", EntryPart.VALUES, List.of(), terminal, null, new StreamControls());
    StreamNode here = new StreamNode(node.calls().names(), node.env().nanoClock(), pool);
    BitSet all = new BitSet();
    all.set(0, SEGMENTS);
    Question question = new Question(all, -1, Question.Cursor.START, 1 << 16);
    return new SegmentEvaluator<>(raw, pipeline, null, here).answer(question).done.cardinality();
  }
}
