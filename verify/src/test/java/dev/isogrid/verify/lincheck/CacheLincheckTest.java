package dev.isogrid.verify.lincheck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Single-key operations are linearizable, over every storage: for each interleaving, a sequential
 * order has the same results, versions included. The systematic exploration can't reach off-heap
 * memory, so only real threads test that.
 */
@Tag("deep")
@Tag("lincheck")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class CacheLincheckTest {
  /**
   * Loads classes first. Otherwise the exploration would include the class loading of the first
   * formatted number, which is long.
   */
  @BeforeAll
  static void loadFormats() {
    assertEquals("1", "%d".formatted(1));
  }

  @ParameterizedTest
  @ValueSource(classes = {ObjectCacheOperations.class, BinaryCacheOperations.class})
  void operations_inSystematicInterleavings_areLinearizable(Class<?> operations) {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(10)
        .invocationsPerIteration(150)
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(
                    "dev.isogrid.wire.KeyHash", "dev.isogrid.codec.WrappedScalar")
                .allMethods()
                .treatAsAtomic()) // computations on arrays that nobody else has
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses("dev.isogrid.store.Hints")
                .allMethods()
                .treatAsAtomic()) // one read of 8 bytes, which the exploration does not know
        .sequentialSpecification(SequentialCache.class)
        .check(operations);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ObjectCacheOperations.class,
        BinaryCacheOperations.class,
        OffHeapCacheOperations.class
      })
  void operations_ofRealThreads_areLinearizable(Class<?> operations) {
    new StressOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(15)
        .invocationsPerIteration(1_500)
        .sequentialSpecification(SequentialCache.class)
        .check(operations);
  }
}
