package dev.isogrid.store;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Readers of a segment of objects during changes of its table. */
public final class ObjectStress {
  private ObjectStress() {}

  /** The entry gets a new value. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Overwritten.class)
  @State
  public static class Overwrite {
    private final StressedObjects segment = new StressedObjects();

    /** Fills the segment. */
    public Overwrite() {
      segment.put(StressedObjects.KEY, StressedSegment.OLD);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressedObjects.KEY, StressedSegment.NEW);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressedObjects.KEY);
      result.r2 = segment.readByWindow(StressedObjects.KEY);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressedObjects.KEY);
    }
  }

  /** The entry is removed. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Removed.class)
  @State
  public static class Removal {
    private final StressedObjects segment = new StressedObjects();

    /** Fills the segment. */
    public Removal() {
      segment.put(StressedObjects.KEY, StressedSegment.OLD);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.remove(StressedObjects.KEY);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressedObjects.KEY);
      result.r2 = segment.readByWindow(StressedObjects.KEY);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressedObjects.KEY);
    }
  }

  /** The place before the read one becomes empty, so that the read entry moves. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class RemovalBefore {
    private final StressedObjects segment = new StressedObjects();

    /** Fills the segment. */
    public RemovalBefore() {
      segment.put(StressedObjects.KEY, StressedSegment.OLD);
      segment.put(StressedObjects.NEIGHBOR, StressedSegment.OLD);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.remove(StressedObjects.KEY);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressedObjects.NEIGHBOR);
      result.r2 = segment.readByWindow(StressedObjects.NEIGHBOR);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressedObjects.NEIGHBOR);
    }
  }

  /** The table is replaced by a larger one. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class TableGrowth {
    private final StressedObjects segment = new StressedObjects();

    /** Fills the segment. */
    public TableGrowth() {
      segment.put(StressedObjects.NEIGHBOR, StressedSegment.OLD);
      for (int i = 0; i < StressedObjects.FULL_TABLE - 1; i++) {
        segment.put(StressedObjects.other(i), StressedSegment.OLD);
      }
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressedObjects.KEY, StressedSegment.NEW);
    }

    /** Reads twice. */
    @Actor
    public void read(LLL_Result result) {
      result.r1 = segment.read(StressedObjects.NEIGHBOR);
      result.r2 = segment.readByWindow(StressedObjects.NEIGHBOR);
    }

    /** Reads the final state. */
    @Arbiter
    public void end(LLL_Result result) {
      result.r3 = segment.end(StressedObjects.NEIGHBOR);
    }
  }
}
