package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlushTimerTest {
  private final ManualEnv world = new ManualEnv();
  private int flushes;
  private FlushTimer timer = new FlushTimer(world, () -> flushes++);

  @BeforeEach
  void start() {
    flushes = 0;
  }

  @Test
  void flushAfter_whenTheTimeIsOver_flushesOnce() {
    timer.flushAfter(1000);
    world.advance(999);
    assertEquals(0, flushes);
    world.advance(1);
    assertEquals(1, flushes);
    world.advance(10_000);
    assertEquals(1, flushes);
    assertEquals(0, world.openTasks());
  }

  @Test
  void flushAfter_twice_onlyTheLaterCallCounts() {
    timer.flushAfter(1000);
    timer.flushAfter(5000);
    assertEquals(1, world.openTasks());
    world.advance(4999);
    assertEquals(0, flushes);
    world.advance(1);
    assertEquals(1, flushes);
  }

  @Test
  void cancel_beforeTheTimeIsOver_leavesNothing() {
    timer.flushAfter(1000);
    timer.cancel();
    assertEquals(0, world.openTasks());
    world.advance(2000);
    assertEquals(0, flushes);
  }

  @Test
  void flushAfter_whenTheSchedulerRunsItBeforeItReturns_flushesOnceAndClosesTheTask() {
    int[] closed = {0};
    ManualEnv eager =
        new ManualEnv() {
          @Override
          public Task every(long periodMillis, Runnable task) {
            task.run();
            return () -> closed[0]++;
          }
        };
    timer = new FlushTimer(eager, () -> flushes++);
    timer.flushAfter(1000);
    assertEquals(1, flushes);
    assertEquals(1, closed[0]);
  }
}
