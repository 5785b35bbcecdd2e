package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions for one key run one at a time, none waits forever, and none runs twice. */
@Tag("deep")
@Tag("lincheck")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FlightLincheckTest {
  /**
   * Loads classes first. Otherwise the exploration would include the class loading of the first
   * formatted number, which is long.
   */
  @BeforeAll
  static void loadFormats() {
    assertEquals("1", "%d".formatted(1));
  }

  @Test
  void flights_inSystematicInterleavings_takeTurns() {
    new ModelCheckingOptions()
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(1)
        .iterations(5)
        .invocationsPerIteration(300)
        .sequentialSpecification(SequentialFlights.class)
        .check(FlightOperations.class);
  }

  @Test
  void flights_ofRealThreads_takeTurns() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(1)
        .iterations(10)
        .invocationsPerIteration(2_000)
        .sequentialSpecification(SequentialFlights.class)
        .check(FlightOperations.class);
  }
}
