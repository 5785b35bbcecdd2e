package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation;
import dev.isogrid.chaos.history.Operation.Outcome;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keys that all clients read and write at the same time. Now and then there are new ones in the
 * place of the old, so that the history of a key has an end. Thread-safe.
 */
final class Registers {
  private static final int KEYS = 96;

  /** Keys that get a third of the operations. */
  private static final int HOT_KEYS = 4;

  private static final int PERCENT = 100;

  private final AtomicInteger generation = new AtomicInteger();
  private final AtomicLong lastValue;

  Registers(AtomicLong lastValue) {
    this.lastValue = lastValue;
  }

  /** What the keys of a generation begin with. */
  static String prefix(int generation) {
    return "r" + generation + "/";
  }

  /** How many keys a generation has. */
  static int keys() {
    return KEYS;
  }

  /** The generation that operations go to. */
  int generation() {
    return generation.get();
  }

  /** Gives operations new keys, and returns the generation that gets no new ones any more. */
  int next() {
    return generation.getAndIncrement();
  }

  /** Does one operation, chosen at random. */
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
