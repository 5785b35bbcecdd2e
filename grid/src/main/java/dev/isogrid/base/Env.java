package dev.isogrid.base;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The environment of a node: everything that would make two runs differ. A test passes its own.
 *
 * @param nanoClock for measuring
 * @param epochClock for expiry and for time stamps that users see
 * @param random for choices that need no secrecy; not thread-safe, split it
 * @param scheduler for periodic work
 */
public record Env(
    NanoClock nanoClock, EpochClock epochClock, RandomGenerator random, Scheduler scheduler) {

  /** The real environment. The caller closes the scheduler. */
  public static Env system() {
    return new Env(
        System::nanoTime,
        System::currentTimeMillis,
        new SplittableRandom(new SecureRandom().nextLong()),
        new SystemScheduler());
  }
}
