package dev.isogrid.bench.run;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import org.junit.jupiter.api.Test;

class QuietMachineTest {
  @Test
  void check_ofAQuietMachine_saysNothing() {
    assertNull(QuietMachine.check("0.50 8.00 9.00 1/300 4711\n", 2, "refuse"));
  }

  @Test
  void check_ofABusyMachine_isRefused() {
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class,
            () -> QuietMachine.check("3.20 0.00 0.00 1/300 4711\n", 2, "refuse"));
    assertTrue(String.valueOf(refusal.getMessage()).contains("load=3.2"), refusal.getMessage());
  }

  @Test
  void check_ofABusyMachineThatIsToBeMarked_givesARemark() {
    assertNotNull(QuietMachine.check("3.20 0.00 0.00 1/300 4711\n", 2, "mark"));
  }

  @Test
  void check_ofAnUnknownWord_isRefused() {
    assertThrows(
        InvalidRequestException.class, () -> QuietMachine.check("0.00 0.00 0.00", 2, "maybe"));
  }
}
