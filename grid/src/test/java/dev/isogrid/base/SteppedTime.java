package dev.isogrid.base;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The time of several nodes in one JVM: it stands still unless a test moves it. The nodes' wall
 * clock, for expiry, moves by {@link #moveClock} only, so that waiting for a cluster makes nothing
 * expire. Periodic tasks run on the test's thread, all nodes' in turn, so that no node is late. One
 * thread calls the methods.
 */
public final class SteppedTime {
  /** The start of the wall clock. */
  public static final long START_MILLIS = 1_800_000_000_000L;

  /** The step of the time: one tick of a node's driver. */
  private static final long STEP_MILLIS = 10;

  /** The steps in which each node receives the last changes of the others, and answers. */
  private static final int SETTLING_STEPS = 3;

  /** The wait of a step for tasks on other threads that wait for something themselves. */
  private static final long STEP_WAIT_NANOS = 1_000_000;

  /** The wait of a step for tasks on other threads that have something to do. */
  private static final long BUSY_WAIT_NANOS = 1_000_000_000;

  private static final long PAUSE_NANOS = 20_000;

  /** The steps of a call that run as fast as possible; a longer call gets time to run. */
  private static final int EAGER_STEPS = 100;

  private static final long LATE_PAUSE_NANOS = 1_000_000;

  /** A bound on waiting, in real time: a test that needs longer hangs. */
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final AtomicLong nanos = new AtomicLong(1_000_000_000L);
  private final AtomicLong epochMillis = new AtomicLong(START_MILLIS);
  private final List<SteppedScheduler> schedulers = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Tasks that were given to a scheduler and have not ended. */
  private final AtomicInteger running = new AtomicInteger();

  /** The threads of those that have begun. */
  private final Set<Thread> begun = ConcurrentHashMap.newKeySet();

  /** The thread of the last call. */
  private volatile @Nullable Thread caller;

  private final Runnable awaitDelivery;

  /**
   * Begins.
   *
   * @param awaitDelivery waits until all messages between the nodes are delivered; called in each
   *     step, so that the time does not run away from a thread that delivers them
   */
  public SteppedTime(Runnable awaitDelivery) {
    this.awaitDelivery = awaitDelivery;
  }

  /** The environment of one node. */
  public synchronized Env env(long seed) {
    SteppedScheduler scheduler = new SteppedScheduler();
    schedulers.add(scheduler);
    return new Env(nanos::get, epochMillis::get, new SplittableRandom(seed), scheduler);
  }

  /** The wall clock. */
  public long nowMillis() {
    return epochMillis.get();
  }

  /** Moves the wall clock, without running anything. */
  public void moveClock(long millis) {
    epochMillis.addAndGet(millis);
  }

  /** Moves the wall clock, and then lets the same time pass, in whole steps. */
  public void advance(long millis) {
    moveClock(millis);
    pass(millis);
  }

  /** Lets time pass without moving the wall clock; runs due tasks. */
  public void pass(long millis) {
    for (long passed = 0; passed < millis; passed += STEP_MILLIS) {
      step();
    }
  }

  /** Lets the nodes exchange their last changes, and waits for tasks on other threads. */
  public void settle() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    int quietSteps = 0;
    while (quietSteps < SETTLING_STEPS) {
      step();
      quietSteps = running.get() == 0 ? quietSteps + 1 : 0;
      checkPatience(end);
    }
  }

  /** Runs a task on another thread, and lets time pass until it has ended. */
  public <T> T call(Callable<T> work) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    try (ExecutorService one = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<T> result =
          one.submit(() -> {
            caller = Thread.currentThread();
            return work.call();
          });
      for (int step = 0; ; step++) {
        try {
          long pause = step < EAGER_STEPS ? PAUSE_NANOS : LATE_PAUSE_NANOS;
          return result.get(pause, TimeUnit.NANOSECONDS);
        } catch (TimeoutException running) {
          checkPatience(end);
          step();
        } catch (ExecutionException failed) {
          throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
      }
    }
  }

  private static void checkPatience(long end) {
    if (System.nanoTime() - end > 0) {
      throw new AssertionError("not settled in time");
    }
  }

  private void step() {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
    for (SteppedScheduler each : all()) {
      each.runDue(nanos.get());
    }
    awaitDelivery.run();
    awaitTasks();
    Throwable failed = failure.getAndSet(null);
    if (failed != null) {
      throw new AssertionError("a task failed", failed);
    }
  }

  /*
   * A node that can't keep up with the time loses its lease, so a task that a busy machine has not
   * run yet is waited for longer than one that waits, perhaps for this very time.
   */
  private void awaitTasks() {
    long start = System.nanoTime();
    for (long waited = 0; waited < BUSY_WAIT_NANOS; waited = System.nanoTime() - start) {
      boolean mayEnd = running.get() == 0 || waited >= STEP_WAIT_NANOS;
      if (mayEnd && !isBusy()) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Whether a task has not begun, or the call or a task does not wait for anything. */
  private boolean isBusy() {
    Thread called = caller;
    if (called != null && called.getState() == Thread.State.RUNNABLE) {
      return true;
    }
    int waiting = 0;
    for (Thread each : begun) {
      if (each.getState() == Thread.State.RUNNABLE) {
        return true;
      }
      waiting++;
    }
    return running.get() > waiting;
  }

  private synchronized List<SteppedScheduler> all() {
    return List.copyOf(schedulers);
  }

  /** The number of open periodic tasks of all nodes. */
  public int periodicTasks() {
    return all().stream().mapToInt(SteppedScheduler::count).sum();
  }

  private static final class Periodic {
    private final long periodNanos;
    private final Runnable task;
    private long dueNanos;

    Periodic(long periodNanos, Runnable task, long dueNanos) {
      this.periodNanos = periodNanos;
      this.task = task;
      this.dueNanos = dueNanos;
    }
  }

  private final class SteppedScheduler implements Scheduler {
    private final List<Periodic> periodic = new ArrayList<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    @Override
    public synchronized Task every(long periodMillis, Runnable task) {
      if (workers.isShutdown()) {
        throw new RejectedExecutionException("the scheduler is closed");
      }
      long period = TimeUnit.MILLISECONDS.toNanos(periodMillis);
      Periodic added = new Periodic(period, task, nanos.get() + period);
      periodic.add(added);
      return () -> cancel(added);
    }

    private synchronized void cancel(Periodic task) {
      periodic.remove(task);
    }

    private synchronized int count() {
      return periodic.size();
    }

    private synchronized List<Periodic> due(long now) {
      return periodic.stream().filter(each -> each.dueNanos - now <= 0).toList();
    }

    void runDue(long now) {
      for (Periodic each : due(now)) {
        each.dueNanos = now + each.periodNanos;
        each.task.run();
      }
    }

    @Override
    public void execute(Runnable task) {
      running.incrementAndGet();
      try {
        workers.execute(() -> run(task));
      } catch (RejectedExecutionException closed) {
        running.decrementAndGet();
        throw closed;
      }
    }

    private void run(Runnable task) {
      begun.add(Thread.currentThread());
      try {
        task.run();
      } catch (RuntimeException | AssertionError failed) {
        failure.compareAndSet(null, failed);
      } finally {
        begun.remove(Thread.currentThread());
        running.decrementAndGet();
      }
    }

    @Override
    public void close() {
      synchronized (this) {
        periodic.clear();
      }
      workers.close();
    }
  }
}
