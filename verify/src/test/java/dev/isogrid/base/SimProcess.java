package dev.isogrid.base;

import static dev.isogrid.base.SimTime.MILLI;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process of the simulated world: its threads and its clocks. The threads are virtual ones that
 * run on the thread of the simulation, one at a time, from one wait to the next; so blocking code
 * runs unchanged.
 */
public final class SimProcess {
  /*
   * Virtual threads run on whatever their scheduler runs them on. The JDK has a constructor for
   * tests that takes the scheduler, which needs java.base/java.lang to be opened. A thread that
   * waits with a deadline would be woken by the real clock: so all such waits go by the NanoClock,
   * which has none of them, but interrupts the thread when the simulated time has come.
   */
  private static final Constructor<?> BUILDER = builder();

  /** 2026-06-01, so that epochs are greater than the smallest one. */
  private static final long START_MILLIS = 1_780_272_000_000L;

  private final SimTime time;
  private final String name;
  private final double rate;
  private final long offsetNanos;
  private final ThreadFactory threads;
  private final SimScheduler scheduler = new SimScheduler();
  private final SplittableRandom random;
  private final List<Runnable> held = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private long pausedUntil;
  private long wallOffsetMillis;
  private long frozenNanos = Long.MIN_VALUE;
  private long lostNanos;
  private @Nullable LongConsumer whenLooked;

  /**
   * Begins a process.
   *
   * @param rate the speed of its clocks, 1 for the speed of simulated time
   */
  public SimProcess(SimTime time, String name, double rate) {
    this.time = time;
    this.name = name;
    this.rate = rate;
    this.random = time.random().split();
    this.offsetNanos = random.nextLong(1L << 40);
    this.threads = threads(this::ready, name, failures);
  }

  private static Constructor<?> builder() {
    try {
      Constructor<?> made =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      made.setAccessible(true);
      return made;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "threads can't be simulated; run with --add-opens java.base/java.lang=ALL-UNNAMED", e);
    }
  }

  private static ThreadFactory threads(Executor executor, String name, List<Throwable> failures) {
    try {
      Thread.Builder.OfVirtual kind = (Thread.Builder.OfVirtual) BUILDER.newInstance(executor);
      return kind.name(name + "-", 0)
          .uncaughtExceptionHandler((_, failure) -> failures.add(failure))
          .factory();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The environment of the process. */
  public Env env() {
    return new Env(new Clock(), this::wallMillis, random.split(), scheduler);
  }

  /** The scheduler of this process. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Runs a task on a thread of its own, now or when the process resumes. */
  public void run(Runnable task) {
    threads.newThread(() -> runNoted(task)).start();
  }

  /** The same after some time of this process's clock. */
  public void runAfter(long delayNanos, Runnable task) {
    time.after(ofWorld(delayNanos), () -> run(task));
  }

  private void runNoted(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // tidy: top of a thread; the world asks for failures
      failures.add(failure);
    }
  }

  /** The failures that ended threads of this process and that no caller received. */
  public List<Throwable> failures() {
    return failures;
  }

  private void ready(Runnable thread) {
    if (isPaused()) {
      held.add(thread);
    } else {
      time.ready(thread);
    }
  }

  // ---- pauses

  /** Whether the process is paused. */
  public boolean isPaused() {
    return time.nanos() < pausedUntil;
  }

  /** Pauses the process for some time; its clocks continue. */
  public void pause(long delayNanos) {
    pausedUntil = Math.max(pausedUntil, time.nanos() + delayNanos);
    time.after(delayNanos, this::resume);
  }

  /** Ends a pause. */
  public void resume() {
    if (isPaused()) {
      return;
    }
    List<Runnable> all = List.copyOf(held);
    held.clear();
    all.forEach(time::ready);
  }

  /** Ends all disturbances of the process. */
  public void recover() {
    pausedUntil = 0;
    whenLooked = null;
    thaw();
    resume();
  }

  /**
   * Sets an action for each moment when a thread of the process reads a clock.
   *
   * @param told receives the time; may throw an exception, which the thread then throws, or pause
   *     the process
   */
  public void whenLooked(@Nullable LongConsumer told) {
    whenLooked = told;
  }

  // ---- clocks

  private long ofWorld(long nanosHere) {
    return (long) (nanosHere / rate);
  }

  /** The time of the clock for measuring. */
  public long clockNanos() {
    if (frozenNanos != Long.MIN_VALUE) {
      return frozenNanos;
    }
    return offsetNanos + (long) ((time.nanos() - lostNanos) * rate);
  }

  /** The wall clock. */
  public long wallMillis() {
    looked();
    return START_MILLIS + wallOffsetMillis + time.nanos() / MILLI;
  }

  /** Sets the wall clock back or forth. */
  public void moveWall(long millis) {
    wallOffsetMillis += millis;
  }

  /** How far the wall clock is off. */
  public long wallOffsetMillis() {
    return wallOffsetMillis;
  }

  /** Stops the clock for measuring, as a hypervisor that hides a pause does. */
  public void freeze() {
    frozenNanos = clockNanos();
  }

  /** Restarts the clock for measuring at the time at which it stopped. */
  public void thaw() {
    if (frozenNanos != Long.MIN_VALUE) {
      lostNanos = time.nanos() - (long) ((frozenNanos - offsetNanos) / rate);
      frozenNanos = Long.MIN_VALUE;
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the simulation runs the threads
  private void looked() {
    LongConsumer told = whenLooked;
    if (told != null && Thread.currentThread().isVirtual()) {
      told.accept(time.nanos());
      if (isPaused()) {
        Thread.yield();
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** The end of a wait. */
  private final class Alarm {
    private final Thread sleeper = Thread.currentThread();
    private boolean hasRung;
    private boolean isOff;

    Alarm(long delayNanos) {
      time.after(ofWorld(delayNanos), this::ring);
    }

    private void ring() {
      if (!isOff) {
        hasRung = true;
        sleeper.interrupt();
      }
    }

    /** Withdraws the interrupt; returns whether there was one. */
    boolean stop() {
      isOff = true;
      return hasRung && (Thread.interrupted() || hasRung);
    }
  }

  private final class Clock implements NanoClock {
    @Override
    public long nanoTime() {
      looked();
      return clockNanos();
    }

    @Override
    public boolean await(CountDownLatch latch, long timeoutNanos) throws InterruptedException {
      Alarm alarm = new Alarm(timeoutNanos);
      try {
        latch.await();
      } catch (InterruptedException e) {
        if (!alarm.hasRung) {
          throw e;
        }
      } finally {
        alarm.stop();
      }
      return latch.getCount() == 0;
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the callers wait in loops
    public long await(Condition condition, long timeoutNanos) throws InterruptedException {
      if (timeoutNanos <= 0) {
        return 0;
      }
      long end = clockNanos() + timeoutNanos;
      Alarm alarm = new Alarm(timeoutNanos);
      try {
        condition.await();
      } catch (InterruptedException e) {
        if (!alarm.hasRung) {
          throw e;
        }
        return 0;
      } finally {
        alarm.stop();
      }
      return end - clockNanos();
    }

    @Override
    public void pause(long nanos) {
      Alarm alarm = new Alarm(nanos);
      while (!alarm.hasRung && !Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
      alarm.stop();
    }
  }

  private final class SimScheduler implements Scheduler {
    private boolean isClosed;

    @Override
    public Task every(long periodMillis, Runnable task) {
      boolean[] isOver = {false};
      runAfter(periodMillis * MILLI, () -> repeat(periodMillis, task, isOver));
      return () -> isOver[0] = true;
    }

    private void repeat(long periodMillis, Runnable task, boolean[] isOver) {
      if (isOver[0] || isClosed) {
        return;
      }
      try {
        task.run();
      } catch (Throwable failure) { // tidy: top of the task, which must go on, as the real one does
        failures.add(failure);
      }
      runAfter(periodMillis * MILLI, () -> repeat(periodMillis, task, isOver));
    }

    @Override
    public void execute(Runnable task) {
      if (isClosed) {
        throw new RejectedExecutionException("the scheduler is closed");
      }
      run(task);
    }

    @Override
    public ThreadFactory threads(Thread.Builder kind) {
      return threads;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
