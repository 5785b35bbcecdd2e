package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SendBudgetTest {
  private static final int ALL =
      Math.toIntExact(SendBudget.ROUND_BYTES - SendBudget.OVERHEAD_BYTES);

  private long sent;
  private long confirmed;
  private final SendBudget budget =
      new SendBudget(
          new SendBudget.Window() {
            @Override
            public long sent() {
              return sent;
            }

            @Override
            public long confirmed() {
              return confirmed;
            }
          });

  private boolean trySend(int bytes) {
    boolean isSent = budget.trySpend(bytes);
    sent += isSent ? 1 : 0;
    return isSent;
  }

  @Test
  void trySpend_ofUnconfirmed_isRefusedAfterTwoRounds() {
    assertTrue(trySend(ALL));
    assertTrue(trySend(ALL));
    assertFalse(trySend(0));
    assertFalse(trySend(ALL));
    confirmed = 1;
    assertTrue(trySend(ALL));
    assertFalse(trySend(0), "the second is not confirmed");
    confirmed = 2;
    assertTrue(trySend(0));
  }

  @Test
  void trySpend_ofConfirmed_hasNoEnd() {
    for (int i = 0; i < 100_000; i++) {
      assertTrue(trySend(10_000));
      confirmed = Math.max(0, sent - 1000);
    }
  }
}
