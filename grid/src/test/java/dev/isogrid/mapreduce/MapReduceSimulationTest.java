package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * Random tasks on nodes with random faults; {@code -Dmapreduce.seeds=} sets their number, {@code
 * -Dseed=} repeats one.
 */
class MapReduceSimulationTest {
  private static final int SEEDS = Integer.getInteger("mapreduce.seeds", 180);

  /** Simulations at a time, which mostly wait. */
  private static final int AT_A_TIME = 6;

  /** The number of tasks of which one may give up, because faults kept occurring. */
  private static final int RUNS_PER_FAILURE = 20;

  /**
   * Logs each task that a node forgot; kept, so that the JVM does not drop the logger together with
   * its level.
   */
  private final Logger log = Logger.getLogger(MapReduceService.class.getName());

  private final AtomicInteger gaveUp = new AtomicInteger();
  private final AtomicInteger segmentsRepeated = new AtomicInteger();
  private final AtomicInteger partitionsLost = new AtomicInteger();

  @Test
  void results_areThoseOfALoop_whateverFails() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    log.setLevel(Level.WARNING);
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
      for (int i = 0; i < AT_A_TIME; i++) {
        running.add(threads.submit(() -> Seeds.run(SEEDS / AT_A_TIME, this::run)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      log.setLevel(null);
    }
    String counts =
        "gave up: %s, segments repeated: %s, partitions lost: %s"
            .formatted(gaveUp, segmentsRepeated, partitionsLost);
    assertTrue(gaveUp.get() <= 1 + SEEDS / RUNS_PER_FAILURE, counts);
    if (SEEDS >= 100 && Long.getLong("seed") == null) { // else there may be too few faults
      assertTrue(segmentsRepeated.get() > 10 && partitionsLost.get() > 10, counts);
    }
    assertEquals(List.of(), TaskLeftovers.openFiles());
    TaskLeftovers.assertNone();
  }

  private void run(Random random) throws Exception {
    try (SimulatedMapReduce simulated = new SimulatedMapReduce(random)) {
      try {
        simulated.run();
      } catch (RetryableGridException again) {
        gaveUp.incrementAndGet();
      }
      simulated.assertNothingLeft();
      segmentsRepeated.addAndGet(simulated.stats().segmentsRepeated());
      partitionsLost.addAndGet(simulated.stats().partitionsLost());
    }
  }
}
