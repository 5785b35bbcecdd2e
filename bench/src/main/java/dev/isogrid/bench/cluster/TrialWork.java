package dev.isogrid.bench.cluster;

import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import javax.management.ListenerNotFoundException;
import org.jspecify.annotations.Nullable;

/** The parts of map/reduce trials that run in the node's process. For one thread. */
final class TrialWork {
  /** The pause of an observer between two queries of statistics. */
  private static final long WATCH_MILLIS = 100;

  private final IsogridMember member;
  private @Nullable MapReduceJob<String, Long> job;
  private long startNanos;

  /** A part of a trial. */
  enum Step {
    /** Starts to count words, splitting each text this many times. */
    BEGIN,

    /** Answers the number of segments that are done, and of all segments. */
    PROGRESS,

    /**
     * Waits for the result. Answers the time in nanoseconds, the digest of the counts, the mapped
     * entries, the segments that were mapped again, and the lost partitions.
     */
    END,

    /**
     * Counts words without an observer. Answers the time in nanoseconds, and the digest of the
     * counts.
     */
    UNWATCHED,

    /** The same, with a progress callback and an observer that queries statistics all the time. */
    WATCHED,

    /**
     * Emits a pair per word, with a key of this many characters; nothing can be combined. Answers
     * the time in nanoseconds, the number of pairs, the bytes of pairs that were sent and of pairs
     * that went to disk, and {@link HeapWatch.Seen#line}.
     */
    EXPAND
  }

  TrialWork(ClusterMember member) {
    this.member = (IsogridMember) member;
  }

  /**
   * Runs a part.
   *
   * @param number the parameter of the part, if it has one
   * @return the answer, a line of numbers
   */
  String step(Step step, int number) throws IOException, InterruptedException, ExecutionException {
    return switch (step) {
      case BEGIN -> {
        startNanos = RealTime.nanos();
        job = member.countingSlowly(number).start();
        yield "0";
      }
      case PROGRESS -> {
        MapReduceStats stats = begun().stats();
        yield stats.segmentsDone() + " " + stats.segmentsTotal();
      }
      case END -> end();
      case UNWATCHED -> run(false);
      case WATCHED -> run(true);
      case EXPAND -> expand(number);
    };
  }

  private MapReduceJob<String, Long> begun() {
    if (job == null) {
      throw new IllegalStateException("nothing was begun");
    }
    return job;
  }

  private String end() {
    long digest = WordTexts.digest(begun().result());
    long nanos = RealTime.nanos() - startNanos;
    MapReduceStats stats = begun().stats();
    return "%d %d %d %d %d"
        .formatted(
            nanos, digest, stats.entries(), stats.segmentsRepeated(), stats.partitionsLost());
  }

  private String run(boolean isWatched) throws InterruptedException, ExecutionException {
    AtomicLong heard = new AtomicLong();
    MapReduceTask<String, Long> task = member.countingWords();
    long begunNanos = RealTime.nanos();
    MapReduceJob<String, Long> started =
        (isWatched ? task.onProgress(stats -> heard.addAndGet(stats.entries())) : task).start();
    CompletableFuture<Map<String, Long>> result = started.resultAsync();
    while (isWatched && !isDone(result)) {
      heard.addAndGet(started.stats().entries());
    }
    long digest = WordTexts.digest(result.get());
    long nanos = RealTime.nanos() - begunNanos;
    if (isWatched && heard.get() == 0) {
      throw new IllegalStateException("nothing was told of the progress");
    }
    return nanos + " " + digest;
  }

  private static boolean isDone(CompletableFuture<?> result)
      throws InterruptedException, ExecutionException {
    try {
      result.get(WATCH_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException _) {
      return false;
    }
  }

  private String expand(int keyLength) throws IOException {
    LongAdder pairs = new LongAdder();
    try (HeapWatch heap = new HeapWatch()) {
      long begunNanos = RealTime.nanos();
      MapReduceJob<String, Long> started = member.expanding(keyLength).start();
      started.forEach((_, count) -> pairs.add(count));
      long nanos = RealTime.nanos() - begunNanos;
      MapReduceStats stats = started.stats();
      return "%d %d %d %d %s"
          .formatted(
              nanos, pairs.sum(), stats.bytesSent(), stats.bytesSpilled(), heap.seen().line());
    } catch (ListenerNotFoundException failure) {
      throw new IOException("the heap can't be left alone again", failure);
    }
  }
}
