package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whole nodes in one thread, with all kinds of caches and faults, keep what they promise.
 *
 * <p>{@code -Dsim.node.seeds=1000} runs so many seeds, {@code -Dseed=N} begins with N. {@code
 * -Dsim.faults=CRASH,CUT} and {@code -Dsim.caches=BOUNDED} name what a run has, {@code
 * -Dsim.promises=all} has it look at what the product is known to break as well.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class NodeSimulationTest {
  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final int SEEDS = Integer.getInteger("sim.node.seeds", 25);
  private static final int WEATHER_MILLIS = Integer.getInteger("sim.weather.millis", 15_000);
  private static final String FAULTS = System.getProperty("sim.faults", "");
  private static final String CACHES = System.getProperty("sim.caches", "");
  private static final boolean HAS_ALL_PROMISES =
      System.getProperty("sim.promises", "").equals("all");

  /** So that a mix has few kinds of faults at a time, each of them often. */
  private static final int FAULTS_MAX = 4;

  /** A plan that follows from the seed, unless properties say what it is. */
  private static SimPlan plan(long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    Set<SimFault> faults = EnumSet.noneOf(SimFault.class);
    Set<SimCache.Kind> caches = EnumSet.noneOf(SimCache.Kind.class);
    if (FAULTS.isEmpty()) {
      List<SimFault> borne = Arrays.stream(SimFault.values()).filter(each -> each.isBorne).toList();
      for (int i = 1 + random.nextInt(FAULTS_MAX); i > 0; i--) {
        faults.add(borne.get(random.nextInt(borne.size())));
      }
    } else {
      Arrays.stream(FAULTS.split(",")).map(SimFault::valueOf).forEach(faults::add);
    }
    if (CACHES.isEmpty()) {
      SimCache.Kind[] kinds = SimCache.Kind.values();
      caches.add(kinds[random.nextInt(kinds.length)]);
      caches.add(kinds[random.nextInt(kinds.length)]);
    } else {
      Arrays.stream(CACHES.split(",")).map(SimCache.Kind::valueOf).forEach(caches::add);
    }
    Set<SimHole> holes = HAS_ALL_PROMISES ? Set.of() : EnumSet.allOf(SimHole.class);
    return new SimPlan(seed, caches, faults, holes, WEATHER_MILLIS);
  }

  @Test
  void nodes_underFaults_keepTheirPromises() {
    StringBuilder failures = new StringBuilder();
    int failed = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      SimGrids grids = new SimGrids(plan(seed));
      long b = System.nanoTime();
      try {
        grids.run();
      } catch (RuntimeException failure) {
        failed++;
        failures.append(
            "seed=%d, %s: %s%n".formatted(seed, grids, failure));
        System.out.println("FAIL seed=" + seed + " " + plan(seed) + ": " + failure);
        if (!(failure instanceof SimGrids.Violation)) failure.printStackTrace(System.out);
      }
      long e = (System.nanoTime() - b)/1000000;
      System.out.println("RUN " + (grids.isExcused() ? "EXC " : "") + "seed=" + seed + ", real=" + e + " x" + grids.simulatedMillis() / Math.max(1, e) + " " + grids + " "+plan(seed).caches());
    }
    assertEquals(0, failed, failures::toString);
  }

  @Test
  void sameSeed_twice_isTheSameRun() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 3; seed++) {
      SimGrids one = new SimGrids(plan(seed));
      SimGrids other = new SimGrids(plan(seed));
      one.run();
      other.run();
      assertEquals(one.trace(), other.trace());
      assertTrue(one.trace() != 0);
    }
  }
}
