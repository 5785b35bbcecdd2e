package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries that are evicted, read back, written and cleaned are the entries of a map. */
@Tag("deep")
@Tag("lincheck")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class EvictionLincheckTest {
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
        .actorsBefore(3)
        .actorsAfter(3)
        .iterations(10)
        .invocationsPerIteration(100)
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(
                    "dev.isogrid.wire.KeyHash",
                    "dev.isogrid.journal.MemoryDisk",
                    "dev.isogrid.journal.JournalLayout",
                    "dev.isogrid.journal.JournalRecord")
                .allMethods()
                .treatAsAtomic()) // what only one thread has, and the disk, which has a lock
        .sequentialSpecification(SequentialMap.class)
        .check(EvictionOperations.class);
  }

  @Test
  void operations_ofRealThreads_areLinearizable() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(3)
        .actorsAfter(3)
        .iterations(20)
        .invocationsPerIteration(500)
        .sequentialSpecification(SequentialMap.class)
        .check(EvictionOperations.class);
  }
}
