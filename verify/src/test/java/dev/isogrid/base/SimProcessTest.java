package dev.isogrid.base;

import static dev.isogrid.base.SimTime.MILLI;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Simulated processes do as real ones. */
class SimProcessTest {
  @Test
  void every_whenTheTaskFailsWithAnError_runsItAgain() {
    SimTime time = new SimTime(1);
    SimProcess process = new SimProcess(time, "p", 1);
    int[] runs = {0};
    Runnable fails =
        () -> {
          runs[0]++;
          throw new OutOfMemoryError("simulated");
        };
    process.scheduler().every(10, fails);
    time.runUntil(35 * MILLI);
    time.end();
    assertEquals(3, runs[0]);
    assertEquals(3, process.failures().size());
  }
}
