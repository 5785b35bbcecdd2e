package dev.isogrid.client;

import dev.isogrid.wire.Statuses;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One pass over the entries of a cache, batch by batch. {@link #next} is for one at a time. */
final class EntryIteration implements BatchSource {
  /*
   * One server after the other is asked for the segments of which it is the primary owner; at most
   * one request is under way. When a server is lost, the segments that it had not finished are
   * divided among those that are left; see IterationProgress. Where segments are not known (caches
   * that are not clustered, a client that asked for no owners) any server is asked for all; if that
   * one is lost after it returned something, the iteration fails, since its position is lost.
   */
  private final Router router;
  private final RequestFormat format;
  private final IterationQuery query;

  /** Null if segments are not known. */
  private final @Nullable IterationProgress progress;

  private final AtomicReference<@Nullable Open> open = new AtomicReference<>();
  private volatile boolean closed;

  // the fields below belong to the thread that waits for the next batch
  private boolean isOver;
  private boolean hasReturned;
  private int failures;
  private @Nullable ServerLink avoided;

  EntryIteration(Router router, RequestFormat format, IterationQuery query) {
    this.router = router;
    this.format = format;
    this.query = query;
    int segments = format.cache().topology().segmentCount();
    if (segments == 0 && query.segments() != null) {
      throw new IllegalArgumentException(
          "segments are not known: cache=%s; it is not clustered, or the client not aware of owners"
              .formatted(format.cache().name()));
    }
    this.progress = segments == 0 ? null : new IterationProgress(segments, query.segments());
    this.isOver = progress != null && progress.unfinished().isEmpty();
  }

  /**
   * A pass that asks several servers at the same time, each for the segments of which it is the
   * primary owner now: one part per server. Where segments are not known there is one part. Each
   * server has one batch on its way while the earlier ones are read.
   */
  static BatchSource parallel(Router router, RequestFormat format, IterationQuery query) {
    EntryIteration whole = new EntryIteration(router, format, query);
    CacheTopology topology = format.cache().topology();
    int atOnceMax = router.config().iterationServers();
    if (topology.segmentCount() == 0 || topology.servers().size() == 1 || atOnceMax == 1) {
      return new ParallelBatches(List.of(whole), 1);
    }
    Map<ServerLink, Set<Integer>> parts = new HashMap<>();
    for (int segment = 0; segment < topology.segmentCount(); segment++) {
      if (query.segments() == null || query.segments().contains(segment)) {
        parts.computeIfAbsent(topology.primary(segment), s -> new HashSet<>()).add(segment);
      }
    }
    List<BatchSource> sources = new ArrayList<>();
    for (Set<Integer> part : parts.values()) {
      sources.add(new EntryIteration(router, format, query.ofSegments(part)));
    }
    return new ParallelBatches(sources, atOnceMax);
  }

  /**
   * An iteration that a server keeps.
   *
   * @param segments its segments, or null for all
   */
  private record Open(Connection connection, String id, @Nullable BitSet segments) {}

  @Override
  public CompletableFuture<List<IterationOperation.Row>> next() {
    CompletableFuture<List<IterationOperation.Row>> result = new CompletableFuture<>();
    advance(result);
    return result;
  }

  private void advance(CompletableFuture<List<IterationOperation.Row>> result) {
    Open current = open.get();
    if (isOver || closed) {
      result.complete(List.of());
    } else if (current == null) {
      begin(result);
    } else {
      fetch(current, result);
    }
  }

  private void begin(CompletableFuture<List<IterationOperation.Row>> result) {
    ServerLink server = null;
    BitSet segments = null;
    if (progress != null) {
      CacheTopology topology = format.cache().topology();
      segments = (BitSet) progress.unfinished().clone();
      if (topology.segmentCount() >= segments.length()) {
        server = topology.primary(segments.nextSetBit(0));
        keepThoseOf(server, segments, topology);
      }
    }
    BitSet asked = segments;
    IterationOperation.Start start =
        new IterationOperation.Start(
            format, query, asked, Objects.equals(server, avoided) ? null : server);
    router.sendAnyway(start);
    start.whenComplete((id, cause) -> {
      if (cause != null) {
        failed(cause, null, result);
        return;
      }
      Open begun = new Open(start.connection(), id, asked);
      open.set(begun);
      if (closed) {
        endOpen();
        result.complete(List.of());
      } else {
        fetch(begun, result);
      }
    });
  }

  private static void keepThoseOf(ServerLink server, BitSet segments, CacheTopology topology) {
    for (int s = segments.nextSetBit(0); s >= 0; s = segments.nextSetBit(s + 1)) {
      if (!topology.primary(s).equals(server)) {
        segments.clear(s);
      }
    }
  }

  private void fetch(Open current, CompletableFuture<List<IterationOperation.Row>> result) {
    router
        .sendAnyway(new IterationOperation.Next(format, current.connection(), current.id()))
        .whenComplete((batch, cause) -> {
          if (cause != null) {
            endOpen();
            failed(cause, current.connection().link(), result);
          } else if (!batch.isKnown()) {
            open.set(null);
            failed(
                new ServerErrorException(
                    Statuses.UNKNOWN_ITERATION,
                    "iteration ended by the server: id=%s; it was not used for some minutes, or"
                            .formatted(current.id())
                        + " the cache was removed"),
                null,
                result);
          } else {
            received(current, batch, result);
          }
        });
  }

  private void received(
      Open current,
      IterationOperation.Batch batch,
      CompletableFuture<List<IterationOperation.Row>> result) {
    failures = 0;
    List<IterationOperation.Row> rows = progress == null ? batch.rows() : progress.add(batch);
    BitSet asked = current.segments();
    boolean isServerDone =
        progress != null && asked != null && !progress.unfinished().intersects(asked);
    if (batch.isLast() || isServerDone) {
      if (progress != null) {
        progress.finish(Objects.requireNonNull(asked));
      }
      isOver = progress == null || progress.unfinished().isEmpty();
      endOpen();
    }
    if (rows.isEmpty()) {
      advance(result);
    } else if (isLastMostLikely(batch)) {
      hasReturned = true;
      finish(current, rows, result);
    } else {
      hasReturned = true;
      result.complete(rows);
    }
  }

  /** Whether nothing will follow a batch, as far as that is known without segments. */
  private boolean isLastMostLikely(IterationOperation.Batch batch) {
    return progress == null && !batch.isLast() && batch.rows().size() < query.batchEntries();
  }

  /**
   * Asks once more before entries are returned. So the server need not keep an iteration over few
   * entries, which callers often do not read to the end.
   */
  private void finish(
      Open current,
      List<IterationOperation.Row> rows,
      CompletableFuture<List<IterationOperation.Row>> result) {
    router
        .sendAnyway(new IterationOperation.Next(format, current.connection(), current.id()))
        .whenComplete((more, cause) -> {
          List<IterationOperation.Row> all = new ArrayList<>(rows);
          if (cause == null && more.isKnown()) {
            all.addAll(more.rows());
            if (more.isLast()) {
              isOver = true;
              endOpen();
            }
          } // else the next call fails likewise, and tells
          result.complete(all);
        });
  }

  private void failed(
      Throwable cause,
      @Nullable ServerLink failed,
      CompletableFuture<List<IterationOperation.Row>> result) {
    boolean mayPass =
        cause instanceof TransportException
            || cause instanceof OperationTimeoutException
            || (cause instanceof ServerErrorException error
                && (error.isWorthRetry() || error.status() == Statuses.UNKNOWN_ITERATION));
    boolean canGoOn = progress == null ? !hasReturned : progress.canGoOn();
    if (!mayPass || closed || failures >= router.config().retriesMax()) {
      result.completeExceptionally(cause);
    } else if (!canGoOn) {
      result.completeExceptionally(
          new HotRodClientException(
              "iteration can't go on at another server: cache=%s; the segments of its keys are not"
                      .formatted(format.cache().name())
                  + " known here; begin again",
              cause));
    } else {
      failures++;
      avoided = failed;
      advance(result);
    }
  }

  /** Tells the server to forget the iteration, if there is one. Does not wait. */
  private void endOpen() {
    Open ended = open.getAndSet(null);
    if (ended != null) {
      router.sendAnyway(new IterationOperation.End(format, ended.connection(), ended.id()));
    }
  }

  @Override
  public void close() {
    closed = true;
    endOpen();
  }
}
