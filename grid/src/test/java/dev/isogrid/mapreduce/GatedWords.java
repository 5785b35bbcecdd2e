package dev.isogrid.mapreduce;

import dev.isogrid.api.Mapper;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A word count that proceeds as far as a test lets it, on all nodes of this process. It shares
 * static state with the test, since mappers are copied to the nodes: one test at a time.
 */
final class GatedWords {
  /** More entries than any test has. */
  static final int ALL = 1_000_000;

  /** The entries that were begun. */
  static final AtomicInteger BEGUN = new AtomicInteger();

  private static final Semaphore GATE = new Semaphore(0);

  static final Mapper<Integer, String, String, Long> WORDS =
      (key, text, out) -> {
        BEGUN.incrementAndGet();
        GATE.acquire();
        WordCount.WORDS.map(key, text, out);
      };

  private GatedWords() {}

  /** Permits the mapping of some more entries. */
  static void open(int entries) {
    GATE.release(entries);
  }

  /** Forbids further mapping, and resets the count. */
  static void close() {
    GATE.drainPermits();
    BEGUN.set(0);
  }
}
