package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Whole nodes in one thread keep what they promise, in bad weather. */
class NodeSimulationTest {
  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final int SEEDS = Integer.getInteger("sim.seeds", 20);

  private static SimPlan plan(long seed) {
    return new SimPlan(
        seed,
        EnumSet.of(SimCache.Kind.OFF_HEAP),
        EnumSet.of(SimFault.WEATHER),
        EnumSet.allOf(SimHole.class),
        20_000);
  }

  @Test
  void nodes_inBadWeather_keepTheirPromises() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      SimGrids grids = new SimGrids(plan(seed));
      try {
        grids.run();
      } catch (RuntimeException failure) {
        throw new AssertionError("seed=" + seed + ", " + grids, failure);
      }
    }
  }

  @Test
  void sameSeed_twice_isTheSameRun() {
    SimGrids one = new SimGrids(plan(FIRST_SEED));
    SimGrids other = new SimGrids(plan(FIRST_SEED));
    one.run();
    other.run();
    assertEquals(one.trace(), other.trace());
  }
}
