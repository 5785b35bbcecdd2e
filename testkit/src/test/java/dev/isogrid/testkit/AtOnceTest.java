package dev.isogrid.testkit;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AtOnceTest {
  @Test
  void tasks_thatWaitForEachOther_allEnd() {
    int count = 3 * Runtime.getRuntime().availableProcessors();
    CyclicBarrier barrier = new CyclicBarrier(count);
    AtomicInteger ended = new AtomicInteger();
    Runnable task =
        () -> {
          try {
            barrier.await();
          } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
          }
          ended.incrementAndGet();
        };
    AtOnce.run(Collections.nCopies(count, task));
    assertEquals(count, ended.get());
  }

  @Test
  void task_thatFails_failsAllAfterTheOthersEnded() {
    AtomicInteger ended = new AtomicInteger();
    Runnable failing =
        () -> {
          throw new IllegalStateException("on purpose");
        };
    List<Runnable> tasks = List.of(failing, ended::incrementAndGet);
    CompletionException failure = assertThrows(CompletionException.class, () -> AtOnce.run(tasks));
    assertEquals("on purpose", requireNonNull(failure.getCause()).getMessage());
    assertEquals(1, ended.get());
  }
}
