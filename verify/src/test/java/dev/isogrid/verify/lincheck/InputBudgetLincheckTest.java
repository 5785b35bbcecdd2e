package dev.isogrid.verify.lincheck;

import dev.isogrid.server.net.InputBudgetOperations;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operations of the budget of unfinished requests are linearizable. */
@Tag("deep")
@Tag("lincheck")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class InputBudgetLincheckTest {
  @Test
  void operations_inSystematicInterleavings_areLinearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(20)
        .invocationsPerIteration(200)
        .sequentialSpecification(SequentialInputBudget.class)
        .check(InputBudgetOperations.class);
  }
}
