package dev.isogrid.bench.cluster;

import dev.isogrid.bench.run.RealTime;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Counts words in a node. */
final class WordCountWork {
  private static final int FILLING_THREADS = 4;

  private final ClusterMember member;

  WordCountWork(ClusterMember member) {
    this.member = member;
  }

  /**
   * Puts texts.
   *
   * @return the digest of the counts of their words, and the number of words
   */
  long[] fill(WordTexts texts, int count) throws InterruptedException, ExecutionException {
    Map<String, String> cache = member.texts();
    List<String> keys = evenKeys(count);
    AtomicInteger next = new AtomicInteger();
    List<Map<String, Long>> parts =
        all(
            FILLING_THREADS,
            () -> {
              Map<String, Long> part = new HashMap<>();
              for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                String text = texts.text(i);
                cache.put(keys.get(i), text);
                WordTexts.count(part, text);
              }
              return part;
            });
    Map<String, Long> counts = new HashMap<>();
    parts.forEach(part -> WordTexts.add(counts, part));
    return new long[] {WordTexts.digest(counts), WordTexts.total(counts)};
  }

  /** Keys of which every node but one is primary owner of the same number. */
  private List<String> evenKeys(int count) {
    List<String> keys = new ArrayList<>();
    Map<String, Integer> ofNode = new HashMap<>();
    int nodes = member.nodes();
    for (int i = 0; keys.size() < count; i++) {
      String key = "text-" + i;
      int taken = nodes == 1 ? 0 : ofNode.merge(member.primary(key), 1, Integer::sum);
      if (taken <= (count + nodes - 1) / nodes) {
        keys.add(key);
      }
    }
    return keys;
  }

  /**
   * Counts the words in the cache once.
   *
   * @param way not a loop
   * @return the time in nanoseconds, and the digest of the counts
   */
  long[] count(WordCountWay way) {
    long startNanos = RealTime.nanos();
    long digest =
        switch (way) {
          case MAP_REDUCE -> member.mapReduceWords();
          case BYTE_MAP_REDUCE -> member.mapReduceBytes();
          case STREAM -> WordTexts.digest(stream());
          case LOOP, BYTE_LOOP -> throw new IllegalArgumentException("not of a cache: " + way);
        };
    return new long[] {RealTime.nanos() - startNanos, digest};
  }

  private Map<String, Long> stream() {
    Supplier<HashMap<String, Long>> none =
        (Supplier<HashMap<String, Long>> & Serializable) HashMap::new;
    BiConsumer<HashMap<String, Long>, String> count =
        (BiConsumer<HashMap<String, Long>, String> & Serializable) WordTexts::count;
    BiConsumer<HashMap<String, Long>, HashMap<String, Long>> add =
        (BiConsumer<HashMap<String, Long>, HashMap<String, Long>> & Serializable) WordTexts::add;
    return member.texts().values().parallelStream().collect(none, count, add);
  }

  /** Runs a task on several threads, and returns the result of each. */
  static <T> List<T> all(int count, Callable<T> task)
      throws InterruptedException, ExecutionException {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Future<T>> begun = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        begun.add(threads.submit(task));
      }
      for (Future<T> each : begun) {
        results.add(each.get());
      }
    }
    return results;
  }
}
