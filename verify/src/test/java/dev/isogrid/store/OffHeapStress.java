package dev.isogrid.store;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Readers of an off-heap segment during each kind of change by a write. Each test is one write in
 * one thread and two reads in another, from the same beginning, repeatedly.
 */
public final class OffHeapStress {
  /** The number of entries after which the index adds a block. */
  private static final int FULL_BLOCK = 29;

  /** So small that the first region is the whole pool, and quickly made. */
  private static final int TINY_POOL_BYTES = 8 << 10;

  /** The length of a value that fills half a page. */
  private static final int HALF_PAGE = 230;

  /** The length of the value that compaction moves, which differs from the others. */
  static final int MOVED_LENGTH = 200;

  /** The entries beside the moved one. */
  private static final int COMPACTED = 15;

  /**
   * The last of the removed entries, every second one; after it, the waste suffices for a
   * compaction.
   */
  private static final int LAST_REMOVED = 8;

  private OffHeapStress() {}

  /** Fills eight pages, two entries each, and removes from four; one removal more compacts. */
  static void fillToTheBrink(StressedSegment segment) {
    segment.put(StressKeys.other(0), StressedSegment.OLD, HALF_PAGE);
    segment.put(StressKeys.other(1), StressedSegment.OLD, HALF_PAGE);
    segment.put(StressKeys.KEY, StressedSegment.OLD, MOVED_LENGTH);
    for (int i = 2; i < COMPACTED; i++) {
      segment.put(StressKeys.other(i), StressedSegment.OLD, HALF_PAGE);
    }
    for (int i = 2; i < LAST_REMOVED; i += 2) {
      segment.remove(StressKeys.other(i));
    }
    segment.remove(StressKeys.other(0));
  }

  /** Removes the entry that makes the segment compact. */
  static void compact(StressedSegment segment) {
    segment.remove(StressKeys.other(LAST_REMOVED));
  }

  /** A value of the same size replaces the old one in place. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Overwritten.class)
  @State
  public static class OverwriteInPlace {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public OverwriteInPlace() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressKeys.KEY, StressedSegment.NEW, 64);
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

  /** A value of another size is a new entry; the old one is dead. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Overwritten.class)
  @State
  public static class OverwriteElsewhere {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public OverwriteElsewhere() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressKeys.KEY, StressedSegment.NEW, 150);
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
    private final StressedSegment segment = StressedSegment.offHeap();

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

  /** The slot before the read one is removed, so that the read one moves down. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class RemovalBefore {
    private final StressedSegment segment = StressedSegment.offHeap();

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

  /** A slot is inserted before the read one, so that the read one moves up. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class InsertionBefore {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public InsertionBefore() {
      segment.put(StressKeys.NEIGHBOR, StressedSegment.OLD, 64);
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

  /** The block of the index that leads to the entry is replaced and freed. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class IndexGrowth {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public IndexGrowth() {
      segment.put(StressKeys.NEIGHBOR, StressedSegment.OLD, 40);
      for (int i = 0; i < FULL_BLOCK - 1; i++) {
        segment.put(StressKeys.other(i), StressedSegment.OLD, 8);
      }
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

  /** The entry is removed and another one gets its place. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Removed.class)
  @State
  public static class PlaceReused {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public PlaceReused() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.remove(StressKeys.KEY);
      segment.put(StressKeys.NEIGHBOR, StressedSegment.NEW, 64);
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

  /** The page of the entry returns to the pool and is reused for other entries. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Overwritten.class)
  @State
  public static class PageFreed {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public PageFreed() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 400);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressKeys.KEY, StressedSegment.NEW, 401);
      segment.put(StressKeys.other(0), StressedSegment.OLD, 400);
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

  /** All memory returns to the operating system. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Removed.class)
  @State
  public static class RegionFreed {
    private final StressedSegment segment = StressedSegment.offHeap(new PagePool(TINY_POOL_BYTES));

    /** Fills the segment. */
    public RegionFreed() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 64);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.clear();
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

  /** The entry moves; its page is freed and filled with others. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Kept.class)
  @State
  public static class Compaction {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public Compaction() {
      fillToTheBrink(segment);
    }

    /** Writes. */
    @Actor
    public void write() {
      compact(segment);
      for (int i = COMPACTED; i < COMPACTED + 4; i++) {
        segment.put(StressKeys.other(i), StressedSegment.NEW, HALF_PAGE);
      }
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

  /** An entry with a page of its own is replaced, and its page reused. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Overwritten.class)
  @State
  public static class LargeOverwritten {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public LargeOverwritten() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 5000);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.put(StressKeys.KEY, StressedSegment.NEW, 5100);
      segment.put(StressKeys.NEIGHBOR, StressedSegment.OLD, 5000);
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

  /** An entry with a page of its own is removed, and another one gets the page. */
  @JCStressTest
  @JCStressMeta(StressOutcomes.Removed.class)
  @State
  public static class LargeRemoved {
    private final StressedSegment segment = StressedSegment.offHeap();

    /** Fills the segment. */
    public LargeRemoved() {
      segment.put(StressKeys.KEY, StressedSegment.OLD, 5000);
    }

    /** Writes. */
    @Actor
    public void write() {
      segment.remove(StressKeys.KEY);
      segment.put(StressKeys.NEIGHBOR, StressedSegment.NEW, 5000);
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
}
