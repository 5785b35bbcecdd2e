package dev.isogrid.jcache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The loads of a cache that other threads run, for which its close waits. Thread-safe. */
final class RunningLoads {
  private static final Logger log = System.getLogger(RunningLoads.class.getName());

  /** A close must not hang with a loader that does. */
  private static final long WAIT_SECONDS = 10;

  /** One party is the cache itself, until its close. */
  private final Phaser running = new Phaser(1);

  /** Runs a load now, which has to find out by itself whether the cache is closed. */
  void run(Runnable load) {
    running.register();
    try {
      load.run();
    } finally {
      running.arriveAndDeregister();
    }
  }

  /** Waits until no load runs, {@value #WAIT_SECONDS} s at most. For one call, of the close. */
  void awaitEnd() {
    int phase = running.arriveAndDeregister();
    try {
      running.awaitAdvanceInterruptibly(phase, WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      log.log(
          Level.WARNING, "a load goes on after the close of its cache: seconds=" + WAIT_SECONDS, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
