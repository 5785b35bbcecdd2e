package dev.isogrid.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

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

  /** Puts texts. */
  void fill(WordTexts texts, int count) throws InterruptedException, ExecutionException {
    Map<String, String> cache = member.texts();
    List<String> keys = evenKeys(count);
    AtomicInteger next = new AtomicInteger();
    all(
        FILLING_THREADS,
        () -> {
          for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            cache.put(keys.get(i), texts.text(i));
          }
          return 0L;
        });
  }

  /** Keys of which all nodes answer for as many, but for one. */
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
   * Counts, once.
   *
   * @return the time in nanoseconds, and how many words there are
   */
  long[] count(WordCountWay way, WordTexts texts, int count)
      throws InterruptedException, ExecutionException {
    return switch (way) {
      case LOOP -> loop(bytes(texts, count));
      case BYTE_LOOP -> byteLoop(bytes(texts, count));
      case MAP_REDUCE -> {
        long startNanos = RealTime.nanos();
        Map<String, Long> counts = member.mapReduceWords();
        yield new long[] {RealTime.nanos() - startNanos, sum(counts)};
      }
      case BYTE_MAP_REDUCE -> {
        long startNanos = RealTime.nanos();
        Map<String, Long> counts = member.mapReduceBytes();
        yield new long[] {RealTime.nanos() - startNanos, sum(counts)};
      }
      case STREAM -> {
        long startNanos = RealTime.nanos();
        Map<String, Long> counts = stream();
        yield new long[] {RealTime.nanos() - startNanos, sum(counts)};
      }
    };
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

  private static List<byte[]> bytes(WordTexts texts, int count) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(texts.text(i).getBytes(UTF_8));
    }
    return all;
  }

  private static long[] byteLoop(List<byte[]> all) throws InterruptedException, ExecutionException {
    long startNanos = RealTime.nanos();
    AtomicInteger next = new AtomicInteger();
    HashMap<String, Long> counts = new HashMap<>();
    List<ByteWords> parts =
        all(
            Runtime.getRuntime().availableProcessors(),
            () -> {
              ByteWords part = new ByteWords();
              for (int i = next.getAndIncrement(); i < all.size(); i = next.getAndIncrement()) {
                part.add(all.get(i));
              }
              return part;
            });
    parts.forEach(part -> part.addTo(counts));
    return new long[] {RealTime.nanos() - startNanos, sum(counts)};
  }

  private static long[] loop(List<byte[]> all) throws InterruptedException, ExecutionException {
    long startNanos = RealTime.nanos();
    AtomicInteger next = new AtomicInteger();
    HashMap<String, Long> counts = new HashMap<>();
    List<HashMap<String, Long>> parts =
        all(
            Runtime.getRuntime().availableProcessors(),
            () -> {
              HashMap<String, Long> part = new HashMap<>();
              for (int i = next.getAndIncrement(); i < all.size(); i = next.getAndIncrement()) {
                WordTexts.count(part, new String(all.get(i), UTF_8));
              }
              return part;
            });
    parts.forEach(part -> WordTexts.add(counts, part));
    return new long[] {RealTime.nanos() - startNanos, sum(counts)};
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static <T> List<T> all(int count, Callable<T> task)
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
