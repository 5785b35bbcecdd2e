package dev.isogrid.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemSchedulerTest {
  private static final long DEADLINE_SECONDS = 120;

  private final Scheduler scheduler = new SystemScheduler();

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void every_taskThatThrows_runsAgain() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);

    scheduler.every(
        1,
        () -> {
          runs.countDown();
          throw new IllegalArgumentException("on purpose");
        });

    assertTrue(runs.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void every_taskThatFailsWithAnError_runsAgain() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);

    scheduler.every(
        1,
        () -> {
          runs.countDown();
          throw new StackOverflowError("on purpose");
        });

    assertTrue(runs.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void every_taskClosedTwice_endsItAndNoOther() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch ran = new CountDownLatch(1);
    Scheduler.Task task =
        scheduler.every(
            1,
            () -> {
              runs.incrementAndGet();
              ran.countDown();
            });
    assertTrue(ran.await(DEADLINE_SECONDS, TimeUnit.SECONDS));

    task.close();
    task.close();

    awaitRounds(1); // a run that had begun is over: there is one thread
    int after = runs.get();
    awaitRounds(5);
    assertEquals(after, runs.get());
  }

  /** Waits until another periodic task has run some times. */
  private void awaitRounds(int count) throws InterruptedException {
    CountDownLatch rounds = new CountDownLatch(count);
    Scheduler.Task task = scheduler.every(1, rounds::countDown);
    assertTrue(rounds.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    task.close();
  }

  @Test
  void execute_any_runsOnVirtualThread() throws Exception {
    CompletableFuture<Boolean> virtual = new CompletableFuture<>();

    scheduler.execute(() -> virtual.complete(Thread.currentThread().isVirtual()));

    assertTrue(virtual.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void executeBlocking_any_runsOnAThreadOfTheSystemUntilClosed() throws Exception {
    CompletableFuture<Boolean> virtual = new CompletableFuture<>();

    scheduler.executeBlocking(() -> virtual.complete(Thread.currentThread().isVirtual()));

    assertFalse(virtual.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
    scheduler.close();
    assertThrows(RejectedExecutionException.class, () -> scheduler.executeBlocking(() -> {}));
  }

  @Test
  void close_whileTaskRuns_waitsForItAndTakesNoMore() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger ended = new AtomicInteger();
    scheduler.execute(() -> {
      begun.countDown();
      awaitQuietly(mayEnd);
      ended.incrementAndGet();
    });
    assertTrue(begun.await(DEADLINE_SECONDS, TimeUnit.SECONDS));

    mayEnd.countDown();
    scheduler.close();

    assertEquals(1, ended.get());
    assertThrows(RejectedExecutionException.class, () -> scheduler.execute(() -> {}));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertTrue(latch.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void close_fromInterruptedThread_returnsAndKeepsTheFlag() {
    Thread.currentThread().interrupt();

    scheduler.close();

    assertTrue(Thread.interrupted());
  }

  @Test
  void system_ofEnv_tellsTheTime() {
    Env env = Env.system();
    try {
      long before = env.nanoClock().nanoTime();
      assertTrue(env.epochClock().millis() > 1_700_000_000_000L);
      assertTrue(env.nanoClock().nanoTime() - before >= 0);
    } finally {
      env.scheduler().close();
    }
  }
}
