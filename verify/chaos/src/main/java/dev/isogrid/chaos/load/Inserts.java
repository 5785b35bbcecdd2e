package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation;
import dev.isogrid.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Writes each key once, and checks at the end that all acknowledged keys exist. One thread. */
public final class Inserts {
  /** The prefix of the keys. */
  static final String PREFIX = "i/";

  /** The limit of remembered keys; after it, no more are written. */
  private static final int KEYS_MAX = 1_000_000;

  private static final int READS_MAX = 50;

  private final List<RecordedCache> caches;
  private final AtomicLong lastValue;
  private final List<Operation> acknowledged = new ArrayList<>();
  private long count;

  Inserts(List<RecordedCache> caches, AtomicLong lastValue) {
    this.caches = List.copyOf(caches);
    this.lastValue = lastValue;
  }

  /** Writes one key. */
  void step() {
    if (count >= KEYS_MAX) {
      return;
    }
    RecordedCache cache = caches.get((int) (count % caches.size()));
    Operation put = cache.put(PREFIX + count++, lastValue.incrementAndGet());
    if (put.outcome() == Outcome.DONE) {
      acknowledged.add(put);
    }
  }

  /** Reads all acknowledged keys. */
  Tally readAll() {
    long lost = 0;
    long unread = 0;
    for (int i = 0; i < acknowledged.size(); i++) {
      Operation put = acknowledged.get(i);
      Operation read = caches.get(i % caches.size()).get(put.key());
      for (int again = 1; again < READS_MAX && read.outcome() != Outcome.DONE; again++) {
        read = caches.get((i + again) % caches.size()).get(put.key());
      }
      if (read.outcome() != Outcome.DONE) {
        unread++;
      } else if (read.result() != put.argument()) {
        lost++;
      }
    }
    return new Tally(acknowledged.size(), lost, unread);
  }

  /**
   * Counts of keys.
   *
   * @param acknowledged writes that the client knows to be done
   * @param lost acknowledged keys that are gone: violations
   * @param unread keys that could not be read at the end
   */
  public record Tally(long acknowledged, long lost, long unread) {}
}
