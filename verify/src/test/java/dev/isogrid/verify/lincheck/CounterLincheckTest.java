package dev.isogrid.verify.lincheck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operations of a counter are linearizable. */
@Tag("deep")
@Tag("lincheck")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class CounterLincheckTest {
  /**
   * Loads classes first. Otherwise the exploration would include the class loading of the first
   * formatted number, which is long.
   */
  @BeforeAll
  static void loadFormats() {
    assertEquals("1", "%d".formatted(1));
  }

  @Test
  void operations_inSystematicInterleavings_areLinearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(2)
        .invocationsPerIteration(30)
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(
                    "dev.isogrid.wire.KeyHash",
                    "dev.isogrid.structure.CounterBucket",
                    "dev.isogrid.structure.CounterFunction",
                    "dev.isogrid.structure.CounterFunction$Argument")
                .allMethods()
                .treatAsAtomic()) // computations on arrays that nobody else has
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses("dev.isogrid.store.Hints")
                .allMethods()
                .treatAsAtomic()) // one read of 8 bytes, which the exploration does not know
        .sequentialSpecification(SequentialCounter.class)
        .check(CounterOperations.class);
  }

  @Test
  void operations_ofRealThreads_areLinearizable() {
    new StressOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(3)
        .invocationsPerIteration(300)
        .sequentialSpecification(SequentialCounter.class)
        .check(CounterOperations.class);
  }
}
