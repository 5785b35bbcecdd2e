package dev.isogrid.bench.run;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import org.junit.jupiter.api.Test;

class QuietMachineTest {
  private static final String BEFORE = "cpu  1000 10 500 9000 300 5 5 0 70 0\ncpu0 1 1 1 1 1\n";

  @Test
  void check_ofAQuietMachine_saysNothing() {
    // 100 ticks of 400 are the most.
    assertNull(QuietMachine.check(BEFORE, "cpu  1050 20 520 9200 400 10 10 10 999 0\n", "refuse"));
    assertNull(QuietMachine.check(BEFORE, BEFORE, "refuse"));
  }

  @Test
  void check_ofABusyMachine_isRefused() {
    String after = "cpu  1050 20 520 9200 398 10 11 11 70 0\n";
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class, () -> QuietMachine.check(BEFORE, after, "refuse"));
    assertTrue(String.valueOf(refusal.getMessage()).contains("26 %"), refusal.getMessage());
  }

  @Test
  void check_ofABusyMachineThatIsToBeMarked_givesARemark() {
    String remark = QuietMachine.check(BEFORE, "cpu  1300 10 500 9100 300 5 5 0 70 0", "mark");
    assertTrue(String.valueOf(remark).contains("(75 % of its processors)"), remark);
  }

  @Test
  void check_ofAnUnknownWord_isRefused() {
    assertThrows(InvalidRequestException.class, () -> QuietMachine.check(BEFORE, BEFORE, "maybe"));
  }
}
