package dev.isogrid.base;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs random tests so that a failure can be repeated: it names its seed, and {@code -Dseed=} runs
 * that one alone.
 */
public final class Seeds {
  private Seeds() {}

  /** A test that draws all its choices from one generator. */
  @FunctionalInterface
  public interface RandomTest {
    /** Runs once. */
    void run(Random random) throws Exception;
  }

  /** The most seeds by this property, the same ones each time. */
  private static final int MAX = Integer.getInteger("seeds.max", Integer.MAX_VALUE);

  /**
   * Runs a test with the seeds 1 to {@code count}, or once with the seed of the command line: for
   * properties of most seeds, but not of all.
   */
  public static void runFirst(int count, RandomTest test) {
    Long given = Long.getLong("seed");
    for (long seed = 1; seed <= (given == null ? Math.min(count, MAX) : 1); seed++) {
      runOnce(given == null ? seed : given, test);
    }
  }

  /** Runs a test with some random seeds, or once with the seed of the command line. */
  public static void run(int count, RandomTest test) {
    if (MAX < Integer.MAX_VALUE) {
      runFirst(count, test);
      return;
    }
    Long given = Long.getLong("seed");
    for (int i = 0; i < (given == null ? count : 1); i++) {
      runOnce(given == null ? ThreadLocalRandom.current().nextLong() : given, test);
    }
  }

  private static void runOnce(long seed, RandomTest test) {
    try {
      test.run(new Random(seed));
    } catch (AssertionError | Exception failure) {
      throw new AssertionError("failed; replay with -Dseed=" + seed, failure);
    }
  }
}
