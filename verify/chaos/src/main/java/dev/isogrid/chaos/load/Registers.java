package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation;
import dev.isogrid.chaos.history.Operation.Outcome;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keys that all clients read and write at the same time. From time to time new keys replace the old
 * ones, so that the history of a key has an end. Thread-safe.
 */
final class Registers {
  private static final int KEYS = 96;

  /** The number of keys that get a third of the operations. */
  private static final int HOT_KEYS = 4;

  private static final int PERCENT = 100;

  private final AtomicInteger generation = new AtomicInteger();
  private final AtomicLong lastValue;

  Registers(AtomicLong lastValue) {
    this.lastValue = lastValue;
  }

  /** The prefix of the keys of a generation. */
  static String prefix(int generation) {
    return "r" + generation + "/";
  }

  /** The number of keys per generation. */
  static int keys() {
    return KEYS;
  }

  /** The generation of current operations. */
  int generation() {
    return generation.get();
  }

  /** Directs operations to a new generation, and returns the previous one. */
  int next() {
    return generation.getAndIncrement();
  }

  /** Runs one random operation. */
  void step(RecordedCache cache, SplittableRandom random) {
    boolean isHot = random.nextInt(3) == 0;
    String key = prefix(generation.get()) + random.nextInt(isHot ? HOT_KEYS : KEYS);
    int choice = random.nextInt(PERCENT);
    if (choice < 30) {
      cache.get(key);
    } else if (choice < 45) {
      cache.put(key, lastValue.incrementAndGet());
    } else if (choice < 55) {
      cache.putReturning(key, lastValue.incrementAndGet());
    } else if (choice < 67) {
      cache.putIfAbsent(key, lastValue.incrementAndGet());
    } else if (choice < 75) {
      cache.remove(key);
    } else {
      Operation read = cache.getWithVersion(key);
      if (read.outcome() != Outcome.DONE || read.result() == Operation.NONE) {
        return;
      }
      if (choice < 92) {
        cache.replace(read, lastValue.incrementAndGet());
      } else {
        cache.removeIf(read);
      }
    }
  }
}
