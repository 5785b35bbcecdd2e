package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SharedAnswerTest {
  private static final int CALLERS = 50;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger begun = new AtomicInteger();

  @Test
  void ask_oneAfterTheOther_beginsAnAnswerEach() {
    SharedAnswer<Integer> answer = new SharedAnswer<>(lock, begun::incrementAndGet);

    assertEquals(1, answer.ask());
    assertEquals(2, answer.ask());
    assertNull(new SharedAnswer<Integer>(lock, () -> null).ask());
  }

  @Test
  void ask_whileAnAnswerIsUnderWay_sharesTheNextOne() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    SharedAnswer<Integer> answer =
        new SharedAnswer<>(
            lock,
            () -> {
              int number = begun.incrementAndGet();
              Await.until("the permission to end", () -> mayEnd.getCount() == 0);
              return number;
            });
    FutureTask<@Nullable Integer> first = started(answer);
    Await.until("the first answer to begin", () -> begun.get() == 1);
    List<FutureTask<@Nullable Integer>> others = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      others.add(started(answer));
    }
    Await.until("the others to wait", () -> lock.getQueueLength() == CALLERS);

    mayEnd.countDown();

    assertEquals(1, first.get());
    for (FutureTask<@Nullable Integer> other : others) {
      assertEquals(2, other.get());
    }
    assertEquals(2, begun.get());
  }

  @Test
  void ask_whenTheSharedAnswerFails_beginsAnother() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    SharedAnswer<Integer> answer =
        new SharedAnswer<>(
            lock,
            () -> {
              int number = begun.incrementAndGet();
              Await.until("the permission to end", () -> mayEnd.getCount() == 0);
              if (number == 2) {
                throw new IllegalStateException("second");
              }
              return number;
            });
    FutureTask<@Nullable Integer> first = started(answer);
    Await.until("the first answer to begin", () -> begun.get() == 1);
    FutureTask<@Nullable Integer> second = started(answer);
    Await.until("the second to wait", () -> lock.getQueueLength() == 1);
    FutureTask<@Nullable Integer> third = started(answer);
    Await.until("the third to wait", () -> lock.getQueueLength() == 2);

    mayEnd.countDown();

    assertEquals(1, first.get());
    assertThrows(ExecutionException.class, second::get);
    assertEquals(3, third.get());
  }

  private static FutureTask<@Nullable Integer> started(SharedAnswer<Integer> answer) {
    FutureTask<@Nullable Integer> task = new FutureTask<>(answer::ask);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }
}
