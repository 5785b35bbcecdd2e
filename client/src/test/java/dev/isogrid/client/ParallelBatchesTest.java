package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The batches of several sources at once, which answer when they are told to. */
class ParallelBatchesTest {
  private final List<Source> sources = List.of(new Source("a"), new Source("b"), new Source("c"));
  private final ParallelBatches batches = new ParallelBatches(List.copyOf(sources), 2);

  /** A source whose answers come by hand. */
  private static final class Source implements BatchSource {
    final String name;
    int asked;
    boolean isClosed;
    @Nullable CompletableFuture<List<IterationOperation.Row>> waiting;

    Source(String name) {
      this.name = name;
    }

    @Override
    public CompletableFuture<List<IterationOperation.Row>> next() {
      asked++;
      waiting = new CompletableFuture<>();
      return waiting;
    }

    @Override
    public void close() {
      isClosed = true;
    }

    void answer(int rows) {
      List<IterationOperation.Row> all = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        all.add(new IterationOperation.Row(new byte[0], name, null, null));
      }
      taken().complete(all);
    }

    private CompletableFuture<List<IterationOperation.Row>> taken() {
      CompletableFuture<List<IterationOperation.Row>> answered = waiting;
      if (answered == null) {
        throw new AssertionError("not asked: " + name);
      }
      waiting = null;
      return answered;
    }
  }

  private List<Integer> asked() {
    return sources.stream().map(source -> source.asked).toList();
  }

  private static String name(CompletableFuture<List<IterationOperation.Row>> batch) {
    return batch.join().get(0).key() + "" + batch.join().size();
  }

  @Test
  void sources_areAskedAtOnce_upToTheMaximum_oneBatchAhead() {
    assertEquals(List.of(0, 0, 0), asked());
    CompletableFuture<List<IterationOperation.Row>> first = batches.next();
    assertEquals(List.of(1, 1, 0), asked());
    assertFalse(first.isDone());
    sources.get(1).answer(2);
    assertEquals("b2", name(first));
    assertEquals(List.of(1, 2, 0), asked());
    sources.get(1).answer(1);
    sources.get(0).answer(3);
    assertEquals(List.of(1, 2, 0), asked(), "nobody has taken what came");
    assertEquals("b1", name(batches.next()));
    assertEquals(List.of(1, 3, 0), asked());
    assertEquals("a3", name(batches.next()));
    assertEquals(List.of(2, 3, 0), asked());
  }

  @Test
  void ends_letOthersBegin_andTheLastOneIsTheEnd() {
    CompletableFuture<List<IterationOperation.Row>> next = batches.next();
    sources.get(0).answer(0);
    assertEquals(List.of(1, 1, 1), asked());
    sources.get(2).answer(1);
    assertEquals("c1", name(next));
    sources.get(2).answer(0);
    CompletableFuture<List<IterationOperation.Row>> last = batches.next();
    assertFalse(last.isDone());
    sources.get(1).answer(0);
    assertTrue(last.join().isEmpty());
    assertTrue(batches.next().join().isEmpty());
  }

  @Test
  void failure_endsAll_afterWhatHasArrived() {
    CompletableFuture<List<IterationOperation.Row>> first = batches.next();
    sources.get(0).answer(1);
    assertEquals("a1", name(first));
    sources.get(0).answer(2);
    sources.get(1).taken().completeExceptionally(new TransportException("lost", null));
    assertTrue(sources.get(0).isClosed);
    assertEquals("a2", name(batches.next()));
    CompletionException thrown =
        assertThrows(CompletionException.class, () -> batches.next().join());
    assertInstanceOf(TransportException.class, thrown.getCause());
  }

  @Test
  void close_closesWhatWasBegun_andBeginsNothing() {
    CompletableFuture<List<IterationOperation.Row>> waiting = batches.next();
    batches.close();
    assertEquals(
        List.of(true, true, false), sources.stream().map(source -> source.isClosed).toList());
    sources.get(0).answer(0);
    assertEquals(List.of(1, 1, 0), asked());
    assertTrue(waiting.isDone());
    assertTrue(batches.next().join().isEmpty());
  }
}
