package dev.isogrid.base;

import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The real scheduler: one thread for periodic tasks, virtual threads for those that block. */
final class SystemScheduler implements Scheduler {
  private static final System.Logger log = System.getLogger(SystemScheduler.class.getName());
  private static final long CLOSE_WAIT_SECONDS = 5;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("isogrid-timer").factory());
  private final ExecutorService workers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("isogrid-worker-", 0).factory());

  @Override
  public Task every(long periodMillis, Runnable task) {
    ScheduledFuture<?> future =
        timer.scheduleWithFixedDelay(
            () -> runLogged(task), periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    return () -> future.cancel(false);
  }

  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // tidy: top of the task, which must go on
      log.log(Level.ERROR, "a periodic task failed; it will run again", failure);
    }
  }

  @Override
  public void execute(Runnable task) {
    workers.execute(task);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    workers.shutdown();
    try {
      boolean ended =
          timer.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)
              && workers.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        log.log(Level.WARNING, "tasks still run after " + CLOSE_WAIT_SECONDS + " s; interrupted");
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
