package dev.isogrid.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The batches of several sources, some of them at the same time, as they arrive. Of each source
 * that is under way one batch is fetched ahead, and no more until that was taken. Thread-safe.
 */
final class ParallelBatches implements BatchSource {
  private final int atOnceMax;

  /** Guarded by this, as all that follows. */
  private final ArrayDeque<BatchSource> notBegun;

  private final Set<BatchSource> begun = new HashSet<>();
  private final ArrayDeque<Arrived> arrived = new ArrayDeque<>();
  private @Nullable CompletableFuture<List<IterationOperation.Row>> asked;
  private @Nullable Throwable failure;
  private boolean isClosed;

  /** Entries, and the source of the next ones. */
  private record Arrived(BatchSource source, List<IterationOperation.Row> rows) {}

  /**
   * Creates it; sends no request yet.
   *
   * @param atOnceMax the most sources that are read at the same time, 1 or more
   */
  ParallelBatches(List<BatchSource> sources, int atOnceMax) {
    this.notBegun = new ArrayDeque<>(sources);
    this.atOnceMax = atOnceMax;
  }

  @Override
  public CompletableFuture<List<IterationOperation.Row>> next() {
    CompletableFuture<List<IterationOperation.Row>> result = new CompletableFuture<>();
    Arrived first;
    List<BatchSource> beginning = List.of();
    synchronized (this) {
      first = arrived.poll();
      if (first == null) {
        asked = result;
        beginning = beginSome();
      }
    }
    if (first != null) {
      fetch(first.source());
      result.complete(first.rows());
    } else {
      beginning.forEach(this::fetch);
      endIfOver();
    }
    return result;
  }

  private synchronized List<BatchSource> beginSome() {
    List<BatchSource> beginning = new ArrayList<>();
    while (!isClosed && begun.size() < atOnceMax && !notBegun.isEmpty()) {
      BatchSource source = notBegun.remove();
      begun.add(source);
      beginning.add(source);
    }
    return beginning;
  }

  private void fetch(BatchSource source) {
    source
        .next()
        .whenComplete((rows, cause) -> {
          if (cause != null) {
            failed(cause);
          } else if (rows.isEmpty()) {
            ended(source);
          } else {
            arrived(new Arrived(source, rows));
          }
        });
  }

  private void arrived(Arrived batch) {
    CompletableFuture<List<IterationOperation.Row>> waiting;
    synchronized (this) {
      waiting = asked;
      asked = null;
      if (waiting == null) {
        arrived.add(batch);
      }
    }
    if (waiting != null) {
      fetch(batch.source());
      waiting.complete(batch.rows());
    }
  }

  private void ended(BatchSource source) {
    synchronized (this) {
      begun.remove(source);
    }
    beginSome().forEach(this::fetch);
    endIfOver();
  }

  private void failed(Throwable cause) {
    synchronized (this) {
      if (failure == null) {
        failure = cause;
      }
    }
    close();
    endIfOver();
  }

  /** Ends the wait of a caller that gets no more entries. */
  private void endIfOver() {
    CompletableFuture<List<IterationOperation.Row>> waiting;
    Throwable cause;
    synchronized (this) {
      cause = failure;
      boolean isOver = isClosed || (begun.isEmpty() && notBegun.isEmpty());
      if (!isOver || !arrived.isEmpty()) {
        return;
      }
      waiting = asked;
      asked = null;
    }
    if (waiting != null && cause != null) {
      waiting.completeExceptionally(cause);
    } else if (waiting != null) {
      waiting.complete(List.of());
    }
  }

  @Override
  public void close() {
    List<BatchSource> left;
    synchronized (this) {
      isClosed = true;
      left = List.copyOf(begun);
    }
    left.forEach(BatchSource::close);
  }
}
