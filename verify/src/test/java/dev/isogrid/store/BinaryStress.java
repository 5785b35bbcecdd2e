package dev.isogrid.store;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Readers of a segment of arrays during changes of its table. */
public final class BinaryStress {
  private BinaryStress() {}

  /** The entry gets a new value. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Overwritten.class)
  @State
  public static class Overwrite {
    private final StressedSegment segment = StressedSegment.onHeap();

    /** Fills the segment. */
    public Overwrite() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressKeys.KEY, StressedSegment.NEW, 70);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressKeys.KEY);
      result.r2 = segment.readByWindow(StressKeys.KEY);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressKeys.KEY);
    }
  }

  /** The entry is removed. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Removed.class)
  @State
  public static class Removal {
    private final StressedSegment segment = StressedSegment.onHeap();

    /** Fills the segment. */
    public Removal() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.remove(StressKeys.KEY);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressKeys.KEY);
      result.r2 = segment.readByWindow(StressKeys.KEY);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressKeys.KEY);
    }
  }

  /** The place before the read one becomes empty, so that the read entry moves. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class RemovalBefore {
    private final StressedSegment segment = StressedSegment.onHeap();

    /** Fills the segment. */
    public RemovalBefore() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 64);
      segment.put(StressKeys.NEIGHBOR, StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.remove(StressKeys.KEY);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressKeys.NEIGHBOR);
      result.r2 = segment.readByWindow(StressKeys.NEIGHBOR);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressKeys.NEIGHBOR);
    }
  }

  /** The table is replaced by a larger one. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class TableGrowth {
    private final StressedSegment segment = StressedSegment.onHeap();

    /** Fills the segment. */
    public TableGrowth() {
      segment.put(StressKeys.NEIGHBOR, StressedSegment.OLD, 64);
      segment.put(StressKeys.other(0), StressedSegment.OLD, 64);
      segment.put(StressKeys.other(1), StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressKeys.KEY, StressedSegment.NEW, 64);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressKeys.NEIGHBOR);
      result.r2 = segment.readByWindow(StressKeys.NEIGHBOR);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressKeys.NEIGHBOR);
    }
  }
}
