package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.SideWatch.Mode;
import dev.isogrid.topology.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a node goes on without the majority, and with whom. */
class SideWatchTest {
  private static final long MILLI = 1_000_000;
  private static final long LIMIT = 1500 * MILLI;
  private static final long STEP = 50 * MILLI;
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);

  private final SideWatch watch = new SideWatch(SELF, LIMIT);
  private long now = 1;

  private Mode run(long millis, boolean isLeased, boolean isOpen) {
    for (long end = now + millis * MILLI; now < end; now += STEP) {
      watch.step(now, isLeased, isOpen);
    }
    return watch.mode();
  }

  @Test
  void step_beforeTheFirstLease_neverGoesApart() {
    assertEquals(Mode.JOINED, run(20_000, false, false));
  }

  @Test
  void step_withoutALease_waitsAndThenGoesApart() {
    run(1000, true, false);
    assertEquals(Mode.JOINED, run(50, false, false));
    assertEquals(Mode.WAITING, run(1000, false, false));
    assertEquals(Mode.APART, run(600, false, false));
    assertEquals(Mode.APART, run(60_000, false, true));
  }

  @Test
  void step_whenTheLeaseIsBackInTime_hasNeverBeenApart() {
    run(1000, true, false);
    assertEquals(Mode.WAITING, run(1400, false, false));
    assertEquals(Mode.JOINED, run(50, true, false));
    assertEquals(Mode.WAITING, run(1400, false, false));
  }

  @Test
  void step_afterTheProcessStoodStill_countsOnlyOneStep() {
    run(1000, true, false);
    now += 3_600_000 * MILLI;
    assertEquals(Mode.WAITING, watch.step(now, false, false));
    assertEquals(Mode.WAITING, run(1200, false, false));
    assertEquals(Mode.APART, run(200, false, false));
  }

  @Test
  void step_whileItHearsOfAMajority_waitsLonger() {
    run(1000, true, false);
    for (int i = 0; i < 90; i++) {
      watch.heard(OTHER, true, now);
      assertTrue(run(100, false, false) != Mode.APART);
    }
    watch.heard(OTHER, true, now);
    assertEquals(Mode.APART, run(1200, false, false));
  }

  @Test
  void step_withSomethingToHandOver_returnsUntilThatIsDone() {
    run(1000, true, false);
    run(2000, false, true);
    assertEquals(Mode.RETURNING, run(1000, true, true));
    assertEquals(Mode.WAITING, run(200, false, true));
    assertEquals(Mode.RETURNING, run(50, true, true));
    assertEquals(Mode.JOINED, run(50, true, false));
  }

  @Test
  void keepers_areThoseWithACopyThenTheOldest() {
    List<NodeId> members = List.of(OTHER, SELF, THIRD);
    watch.heard(OTHER, false, now);
    watch.heard(THIRD, false, now);
    assertEquals(List.of(THIRD, OTHER, SELF), watch.keepers(List.of(THIRD), members, now));
    assertEquals(List.of(OTHER, SELF, THIRD), watch.keepers(List.of(), members, now));
    watch.heard(OTHER, true, now);
    assertEquals(List.of(THIRD, SELF), watch.keepers(List.of(THIRD), members, now));
    now += SideWatch.HEARD_NANOS;
    assertEquals(List.of(SELF), watch.keepers(List.of(THIRD), members, now));
    assertFalse(watch.isHere(THIRD, now));
  }

  @Test
  void keepers_ofATopologyWithoutThisNode_areItselfAtLeast() {
    assertEquals(List.of(SELF), watch.keepers(List.of(OTHER), List.of(OTHER, THIRD), now));
  }
}
