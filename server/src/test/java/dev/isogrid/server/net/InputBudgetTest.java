package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InputBudgetTest {
  private static final int CANCEL_ROUNDS = 20_000;
  private static final int ENOUGH_SECONDS = 120;

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
  void client_getsHalf_andOthersGoOn() {
    assertTrue(budget.tryTake("a", 5));
    assertFalse(budget.tryTake("a", 1));
    budget.await("a", 1, () -> granted.append('a'));
    assertTrue(budget.tryTake("b", 3), "a waits for itself only");
    budget.await("b", 1, () -> granted.append('b'));
    assertEquals("b", granted.toString());
    budget.give("a", 1);
    assertEquals("ba", granted.toString());
    budget.give("a", 5);
    budget.give("b", 4);
    assertEquals(0, budget.bytesTaken());
  }

  @Test
  void client_thatHoldsNothing_mayHaveOneLargeRequest() {
    assertTrue(budget.tryTake("a", 9));
    assertFalse(budget.tryTake("a", 1));
    budget.await("b", 4, () -> granted.append('b'));
    budget.give("a", 9);
    assertEquals("b", granted.toString());
  }

  @Test
  void clients_thatWait_takeTurns() {
    budget.tryTake("x", 10);
    for (int i = 0; i < 2; i++) {
      budget.await("a", 3, () -> granted.append('a'));
      budget.await("b", 2, () -> granted.append('b'));
    }
    budget.give("x", 10);
    assertEquals("abb", granted.toString());
    budget.give("a", 3);
    assertEquals("abba", granted.toString());
  }

  @Test
  void relieve_endsTheLargestSlowRequest() {
    InputBudget large = new InputBudget(1 << 20);
    InputBudget.Holder fast = new InputBudget.Holder(() -> granted.append('f'));
    InputBudget.Holder slow = new InputBudget.Holder(() -> granted.append('s'));
    InputBudget.Holder small = new InputBudget.Holder(() -> granted.append('x'));
    long second = TimeUnit.SECONDS.toNanos(1);
    large.note(slow, 200_000, 0);
    large.note(small, 10_000, 0);
    large.note(fast, 400_000, second);
    large.relieve(4 * second);
    assertEquals("", granted.toString());
    large.relieve(6 * second);
    assertEquals("s", granted.toString());
    large.relieve(6 * second);
    assertEquals("s", granted.toString());
    large.note(fast, 0, 7 * second);
    large.relieve(60 * second);
    assertEquals("s", granted.toString());
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

  /**
   * A connection of the stress: waits for bytes, gives up or not, and returns the granted bytes.
   */
  private final class Waiter implements Runnable {
    private final SplittableRandom random;
    private final AtomicLong most;
    private final CountDownLatch begun;
    private int cancelled;
    private int served;

    Waiter(long seed, AtomicLong most, CountDownLatch begun) {
      this.random = new SplittableRandom(seed);
      this.most = most;
      this.begun = begun;
    }

    @Override
    public void run() {
      for (int i = 0; i < CANCEL_ROUNDS; i++) {
        once(1 + random.nextInt(10));
      }
    }

    private void once(int bytes) {
      AtomicInteger calls = new AtomicInteger();
      CountDownLatch done = new CountDownLatch(1);
      Object place =
          budget.await(
              bytes,
              () -> {
                calls.incrementAndGet();
                done.countDown();
              });
      begun.countDown();
      if (random.nextBoolean()) {
        Thread.onSpinWait();
      }
      if (random.nextInt(4) != 0 && budget.cancel(place)) {
        cancelled++;
        assertEquals(0, calls.get(), "granted and cancelled");
        return;
      }
      awaitDone(done);
      assertEquals(1, calls.get(), "granted more than once");
      most.accumulateAndGet(budget.bytesTaken(), Math::max);
      served++;
      budget.give(bytes);
    }
  }

  @Test
  void manyThreadsThatGiveUp_areEitherCancelledOrGrantedOnce() throws Exception {
    AtomicLong most = new AtomicLong();
    List<Waiter> waiters = new ArrayList<>();
    List<CompletableFuture<Void>> runs = new ArrayList<>();
    CountDownLatch begun = new CountDownLatch(4);
    assertTrue(budget.tryTake(10), "what the first ones wait for");
    for (int t = 0; t < 4; t++) {
      Waiter waiter = new Waiter(t, most, begun);
      waiters.add(waiter);
      runs.add(
          CompletableFuture.runAsync(waiter, task -> Thread.ofPlatform().daemon().start(task)));
    }
    assertTrue(begun.await(ENOUGH_SECONDS, TimeUnit.SECONDS));
    budget.give(10);
    for (CompletableFuture<Void> run : runs) {
      run.get(ENOUGH_SECONDS, TimeUnit.SECONDS);
    }
    assertEquals(0, budget.bytesTaken());
    assertTrue(budget.tryTake(10), "nobody waits any more");
    assertTrue(most.get() <= 10, () -> "most: " + most);
    assertEquals(4 * CANCEL_ROUNDS, waiters.stream().mapToInt(w -> w.cancelled + w.served).sum());
    assertTrue(waiters.stream().anyMatch(w -> w.cancelled > 0));
    assertTrue(waiters.stream().allMatch(w -> w.served > 0));
  }

  private static void awaitDone(CountDownLatch done) {
    try {
      assertTrue(done.await(ENOUGH_SECONDS, TimeUnit.SECONDS), "never granted");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void take(int bytes) {
    if (budget.tryTake(bytes)) {
      return;
    }
    CountDownLatch done = new CountDownLatch(1);
    budget.await(bytes, done::countDown);
    awaitDone(done);
  }
}
