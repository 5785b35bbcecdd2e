package dev.isogrid.base;

import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The real scheduler: one thread for periodic tasks, virtual threads for those that block, and
 * threads of a pool for those that block in the operating system.
 */
final class SystemScheduler implements Scheduler {
  private static final System.Logger log = System.getLogger(SystemScheduler.class.getName());
  private static final long CLOSE_WAIT_SECONDS = 5;

  /** A thread costs some 0.1 ms, and as long as it is there some 100 kB. */
  private static final long IDLE_SECONDS = 10;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("isogrid-timer").factory());
  private final ExecutorService workers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("isogrid-worker-", 0).factory());

  /** A virtual thread in such a call takes its carrier along, and wakes another one each time. */
  private final ExecutorService blocking =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE, // one per open file that is written
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("isogrid-disk-", 0).factory());

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
  public void executeBlocking(Runnable task) {
    blocking.execute(task);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    workers.shutdown();
    blocking.shutdown();
    try {
      boolean ended =
          timer.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)
              && workers.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)
              && blocking.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        log.log(Level.WARNING, "tasks still run after " + CLOSE_WAIT_SECONDS + " s; interrupted");
        workers.shutdownNow();
        blocking.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      blocking.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
