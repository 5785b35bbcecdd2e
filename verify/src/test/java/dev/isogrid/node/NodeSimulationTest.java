package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.SimTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whole nodes in one thread, with all kinds of caches and faults, keep their promises.
 *
 * <p>{@code -Dsim.seeds=1000} sets the number of seeds, {@code -Dseed=N} the first one. {@code
 * -Dsim.faults=CRASH,CUT} and {@code -Dsim.caches=BOUNDED} select faults and caches. {@code
 * -Dsim.promises=all} also checks promises that the product is known to break.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class NodeSimulationTest {
  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final int SEEDS = Integer.getInteger("sim.seeds", 50);
  private static final int WEATHER_MILLIS = Integer.getInteger("sim.weather.millis", 15_000);
  private static final String FAULTS = System.getProperty("sim.faults", "");
  private static final String CACHES = System.getProperty("sim.caches", "");
  private static final boolean HAS_ALL_PROMISES =
      System.getProperty("sim.promises", "").equals("all");

  /** One seed with kills comes for so many others: forces of a real disk take long. */
  private static final int KILLS_RARELY = 5;

  /** One seed with removals of caches comes for so many others. */
  private static final int REMOVALS_RARELY = 5;

  /** The most kinds of faults of a mix, so that each of them is frequent. */
  private static final int FAULTS_MAX = 4;

  /** Those that any fault may meet in any mix. */
  private static final List<SimCache.Kind> KINDS =
      Arrays.stream(SimCache.Kind.values())
          .filter(kind -> kind != SimCache.Kind.DURABLE && kind != SimCache.Kind.SINGLE)
          .toList();

  /** Faults that may come beside kills. */
  private static final List<SimFault> BESIDE_KILLS =
      List.of(
          SimFault.WEATHER,
          SimFault.CUT,
          SimFault.PAUSE,
          SimFault.PAUSE_INSIDE,
          SimFault.SLOW_LINKS,
          SimFault.WALL_CLOCK);

  /** A fault, and those that the option names, or else up to two that may come beside it. */
  private static Set<SimFault> faults(
      SimFault always, List<SimFault> beside, SplittableRandom random) {
    Set<SimFault> faults = EnumSet.of(always);
    if (FAULTS.isEmpty()) {
      for (int i = random.nextInt(3); i > 0; i--) {
        faults.add(beside.get(random.nextInt(beside.size())));
      }
    } else {
      Arrays.stream(FAULTS.split(",")).map(SimFault::valueOf).forEach(faults::add);
    }
    return faults;
  }

  /** A plan with kills, all of which a cluster with stores survives. */
  private static SimPlan killPlan(long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    Set<SimFault> faults = faults(SimFault.KILL, BESIDE_KILLS, random);
    return new SimPlan(seed, Set.of(SimCache.Kind.DURABLE), faults, Set.of(), WEATHER_MILLIS);
  }

  /** Caches that may be beside one of a single copy when caches are removed. */
  private static final List<SimCache.Kind> BESIDE_SINGLE =
      List.of(SimCache.Kind.SINGLE, SimCache.Kind.OFF_HEAP, SimCache.Kind.REPLICATED);

  /** Faults that may come beside removals. */
  private static final List<SimFault> BESIDE_REMOVALS =
      List.of(
          SimFault.WEATHER,
          SimFault.CUT,
          SimFault.PAUSE,
          SimFault.PAUSE_INSIDE,
          SimFault.CRASH,
          SimFault.LEAVE,
          SimFault.SLOW_LINKS);

  /** A plan in which caches are removed, and segments are lost that no cache has. */
  private static SimPlan removalPlan(long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    Set<SimFault> faults = faults(SimFault.REMOVE, BESIDE_REMOVALS, random);
    Set<SimCache.Kind> caches = EnumSet.of(SimCache.Kind.SINGLE);
    caches.add(BESIDE_SINGLE.get(random.nextInt(BESIDE_SINGLE.size())));
    Set<SimHole> holes = EnumSet.allOf(SimHole.class);
    return new SimPlan(seed, caches, faults, holes, WEATHER_MILLIS);
  }

  /** A plan that follows from the seed, unless properties set it. */
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
      caches.add(KINDS.get(random.nextInt(KINDS.size())));
      caches.add(KINDS.get(random.nextInt(KINDS.size())));
    } else {
      Arrays.stream(CACHES.split(",")).map(SimCache.Kind::valueOf).forEach(caches::add);
    }
    Set<SimHole> holes = HAS_ALL_PROMISES ? Set.of() : EnumSet.allOf(SimHole.class);
    return new SimPlan(seed, caches, faults, holes, WEATHER_MILLIS);
  }

  /**
   * The most attempts: code that depends on the real world does so each time, other threads of this
   * JVM only sometimes.
   */
  private static final int ATTEMPTS_MAX = 4;

  private static final Logger LOGGER = Logger.getLogger("dev.isogrid");

  /** Logging takes locks that threads of the real world hold too, which then decide the order. */
  @BeforeAll
  static void silence() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  /** Runs a plan; repeats it if the rest of this JVM influenced it. */
  private static SimGrids run(SimPlan plan, int attemptsMax) {
    SimGrids grids = new SimGrids(plan);
    try {
      grids.run();
      return grids;
    } catch (SimTime.RealWorldException failure) {
      if (attemptsMax > 1) {
        return run(plan, attemptsMax - 1);
      }
      throw failure;
    } catch (RuntimeException failure) {
      throw new AssertionError(
          "seed=%d, %s, %s; replay it with -Dseed=%d -Dsim.seeds=1: %s"
              .formatted(plan.seed(), plan, grids, plan.seed(), failure),
          failure);
    }
  }

  @Test
  void nodes_underFaults_keepTheirPromises() {
    int counted = 0;
    for (long seed = FIRST_SEED; counted < SEEDS; seed++) {
      SimPlan plan = plan(seed);
      SimGrids grids = run(plan, ATTEMPTS_MAX);
      counted += grids.isExcused() ? 0 : 1;
      long excused = seed + 1 - FIRST_SEED - counted;
      assertTrue(excused <= 2 + SEEDS / 10, "more died than the nodes are made for: " + excused);
    }
  }

  @Test
  void nodesWithStores_thatAreKilled_comeBackWithAllThatWasAcknowledged() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + Math.max(1, SEEDS / KILLS_RARELY); seed++) {
      SimGrids grids = run(killPlan(seed), ATTEMPTS_MAX);
      assertFalse(grids.isExcused(), "seed=" + seed);
    }
  }

  @Test
  void newCaches_whoseSegmentsWereLostWithoutAny_canBeUsed() {
    int seeds = Math.max(1, SEEDS / REMOVALS_RARELY);
    int excused = 0;
    int restarts = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      SimGrids grids = run(removalPlan(seed), ATTEMPTS_MAX);
      excused += grids.isExcused() ? 1 : 0;
      restarts += grids.restarts();
    }
    // a node may die in the moment in which another one defines a cache again
    assertTrue(excused <= 2 + seeds / 5, "more died than the nodes are made for: " + excused);
    assertTrue(restarts >= seeds, "lost segments that began anew: " + restarts);
  }

  @Test
  void sameSeed_twice_isTheSameRun() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 3; seed++) {
      SimGrids one = run(plan(seed), ATTEMPTS_MAX);
      SimGrids other = run(plan(seed), ATTEMPTS_MAX);
      assertEquals(one.trace(), other.trace(), "seed=" + seed);
      assertEquals(one.toString(), other.toString(), "seed=" + seed);
    }
  }
}
