package dev.isogrid.jcache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs tasks one after the other, by the threads of an executor. Thread-safe. */
final class SerialTasks {
  private static final Logger log = System.getLogger(SerialTasks.class.getName());

  /** Tasks that wait; beyond that callers wait too, so that a slow listener costs no memory. */
  private static final int WAITING_MAX = 65_536;

  private final Executor executor;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition taken = lock.newCondition();
  private final Queue<Runnable> waiting = new ArrayDeque<>(); // guarded by: lock
  private @Nullable Thread runner; // guarded by: lock
  private boolean isRunning; // guarded by: lock

  SerialTasks(Executor executor) {
    this.executor = executor;
  }

  /** Adds a task. Waits while too many wait, unless a task itself adds it. */
  void add(Runnable task) {
    lock.lock();
    try {
      while (waiting.size() >= WAITING_MAX && !Thread.currentThread().equals(runner)) {
        taken.awaitUninterruptibly();
      }
      waiting.add(task);
      if (isRunning) {
        return;
      }
      isRunning = true;
    } finally {
      lock.unlock();
    }
    executor.execute(this::run);
  }

  private void run() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error failure) { // of users; without the others they would wait
        log.log(Level.WARNING, "a task failed; those after it run", failure);
      }
    }
  }

  private @Nullable Runnable next() {
    lock.lock();
    try {
      Runnable task = waiting.poll();
      isRunning = task != null;
      runner = isRunning ? Thread.currentThread() : null;
      taken.signalAll();
      return task;
    } finally {
      lock.unlock();
    }
  }
}
