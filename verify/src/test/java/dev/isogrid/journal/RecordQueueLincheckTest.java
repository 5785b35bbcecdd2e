package dev.isogrid.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Records of several writers are taken in the order of their positions. Systematic interleavings
 * are left out: Lincheck does not know the views of arrays that records are written by.
 */
@Tag("deep")
@Tag("lincheck")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RecordQueueLincheckTest {
  /** Lengths of which one or two fill the first buffer of a queue. */
  private static final int LENGTH = 1_500;

  /** The queue, with one thread at a time that takes. */
  @Param(name = "segment", gen = IntGen.class, conf = "0:9")
  public static final class Operations {
    private final RecordQueue queue = new RecordQueue();

    /** Appends a record; returns the position behind it. */
    @Operation
    public long append(int segment) {
      return queue.append(record(segment), 0, 0);
    }

    /** Appends two records; returns the position behind them. */
    @Operation
    public long appendTwo(int segment) {
      return queue.append(record(segment), record(segment + 1), 0);
    }

    /** Takes all records; returns their segments and the position behind them. */
    @Operation(nonParallelGroup = "taker")
    public List<Long> take() {
      List<Long> taken = new ArrayList<>();
      long end = queue.end();
      queue.take((records, from, to) -> {
        for (int at = from; at < to; at = records.behind(at)) {
          taken.add((long) records.segment(at));
        }
      });
      queue.forced(end);
      taken.add(end);
      return taken;
    }

    private static byte[] record(int segment) {
      return JournalLayout.newRemove(segment, 1, LENGTH - JournalLayout.REMOVE_KEY);
    }
  }

  /** The same, one operation after the other. */
  public static final class Sequential {
    private final List<Long> records = new ArrayList<>();
    private long position;

    /** As in the other one. */
    public long append(int segment) {
      records.add((long) segment);
      position += LENGTH;
      return position;
    }

    /** As in the other one. */
    public long appendTwo(int segment) {
      append(segment);
      return append(segment + 1);
    }

    /** As in the other one. */
    public List<Long> take() {
      List<Long> taken = new ArrayList<>(records);
      records.clear();
      taken.add(position);
      return taken;
    }
  }

  @Test
  void operations_ofRealThreads_areLinearizable() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(20)
        .invocationsPerIteration(2_000)
        .sequentialSpecification(Sequential.class)
        .check(Operations.class);
  }
}
