package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InputBudgetTest {
  private final InputBudget budget = new InputBudget(10);
  private final StringBuilder granted = new StringBuilder();

  @Test
  void tryTake_aboveTheBound_isRefused() {
    assertTrue(budget.tryTake(10));
    assertFalse(budget.tryTake(1));
    budget.give(1);
    assertTrue(budget.tryTake(1));
    assertEquals(10, budget.bytesTaken());
  }

  @Test
  void await_isGrantedInOrder() {
    budget.tryTake(10);
    budget.await(6, () -> granted.append('a'));
    budget.await(2, () -> granted.append('b'));
    budget.give(5);
    assertEquals("", granted.toString());
    assertFalse(budget.tryTake(1), "before those who wait");
    budget.give(1);
    assertEquals("a", granted.toString());
    budget.give(2);
    assertEquals("ab", granted.toString());
    assertEquals(10, budget.bytesTaken());
  }

  @Test
  void cancel_letsThoseBehindGoOn() {
    budget.tryTake(8);
    Object large = budget.await(6, () -> granted.append('a'));
    Object small = budget.await(2, () -> granted.append('b'));
    assertTrue(budget.cancel(large));
    assertEquals("b", granted.toString());
    assertFalse(budget.cancel(small));
    assertEquals(10, budget.bytesTaken());
  }

  @Test
  void manyThreads_neverTakeTooMuchAndGetAllDone() throws InterruptedException {
    int rounds = 20_000;
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int bytes = 3 + t;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < rounds; i++) {
                  take(bytes);
                  most.accumulateAndGet(taken.addAndGet(bytes), Math::max);
                  taken.addAndGet(-bytes);
                  budget.give(bytes);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, budget.bytesTaken());
    assertTrue(most.get() <= 10, () -> "most: " + most);
  }

  private void take(int bytes) {
    if (budget.tryTake(bytes)) {
      return;
    }
    CountDownLatch done = new CountDownLatch(1);
    budget.await(bytes, done::countDown);
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
