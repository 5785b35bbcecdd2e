package dev.isogrid.bench.cluster;

import dev.isogrid.bench.run.RealTime;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Processes the caches of a node. All calls are those of {@code java.util}, with serializable
 * functions, so that all libraries run the same user code.
 */
final class StreamWork {
  private static final int KEYS_MAX = 1000;
  private static final int PUT_VALUE_SIZE = 1000;
  static final int GROUPS = 10;
  private static final int RUNS_MAX = 1_000_000;

  private final ClusterMember member;

  StreamWork(ClusterMember member) {
    this.member = member;
  }

  /** Puts numbers, or entries with lifespans, from 0 on. */
  void fillNumbers(int count) {
    Map<String, Long> numbers = member.numbers();
    for (int i = 0; i < count; i++) {
      numbers.put("key-" + i, (long) i);
    }
  }

  /** Gives the first entries new values with a lifespan of an hour. */
  void fillMortal(int count, int valueSize) {
    for (int i = 0; i < count; i++) {
      member.putMortal("key-" + i, new byte[valueSize]);
    }
  }

  /**
   * Repeats an operation.
   *
   * @param keys the number of entries
   * @param millis the duration; there are at least two runs, and the first does not count
   * @return the median of the times in nanoseconds, and the last result
   */
  long[] run(StreamMeasure measure, int keys, int millis) {
    LongSupplier action = action(measure, keys);
    long result = action.getAsLong();
    long endNanos = RealTime.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    List<Long> times = new ArrayList<>();
    do {
      long startNanos = RealTime.nanos();
      result = action.getAsLong();
      times.add(RealTime.nanos() - startNanos);
    } while (RealTime.nanos() - endNanos < 0 && times.size() < RUNS_MAX);
    times.sort(null);
    return new long[] {times.get(times.size() / 2), result};
  }

  private LongSupplier action(StreamMeasure measure, int keys) {
    return switch (measure) {
      case REMOTE_GET -> gets(keys, key -> !member.isHere(key));
      case GET -> gets(keys, _ -> true);
      case PUT -> {
        byte[] value = new byte[PUT_VALUE_SIZE];
        int[] next = {0};
        yield () -> {
          member.cache().put("key-" + next[0]++ % keys, value);
          return 1;
        };
      }
      case SIZE, SIZE_WITH_LIFESPANS -> () -> member.cache().size();
      case ITERATE, ITERATE_WHILE_JOINING -> this::iterate;
      case FILTER_COUNT -> this::filterCount;
      case SUM -> this::sum;
      case SUM_OF_BYTES -> member::sumOfBytes;
      case GROUP_BY -> this::groupBy;
    };
  }

  private LongSupplier gets(int keys, Predicate<String> wanted) {
    List<String> some = new ArrayList<>();
    for (int i = 0; i < keys && some.size() < KEYS_MAX; i++) {
      String key = "key-" + i;
      if (wanted.test(key)) {
        some.add(key);
      }
    }
    if (some.isEmpty()) {
      throw new IllegalStateException("no key of that kind: keys=" + keys);
    }
    int[] next = {0};
    return () -> {
      byte[] value = member.cache().get(some.get(next[0]++ % some.size()));
      if (value == null) {
        throw new IllegalStateException("an entry is missing");
      }
      return 1;
    };
  }

  private long iterate() {
    long entries = 0;
    for (Map.Entry<String, byte[]> entry : member.cache().entrySet()) {
      if (entry.getValue().length > 0) {
        entries++;
      }
    }
    return entries;
  }

  private long filterCount() {
    Predicate<Long> isEven = (Predicate<Long> & Serializable) number -> (number & 1) == 0;
    return member.numbers().values().stream().filter(isEven).count();
  }

  private long sum() {
    ToLongFunction<Long> itself = (ToLongFunction<Long> & Serializable) number -> number;
    return member.numbers().values().stream().mapToLong(itself).sum();
  }

  private long groupBy() {
    Supplier<HashMap<Long, Long>> groups =
        (Supplier<HashMap<Long, Long>> & Serializable) HashMap::new;
    BiConsumer<HashMap<Long, Long>, Long> add =
        (BiConsumer<HashMap<Long, Long>, Long> & Serializable)
            (counts, number) -> counts.merge(number % GROUPS, 1L, Long::sum);
    BiConsumer<HashMap<Long, Long>, HashMap<Long, Long>> merge =
        (BiConsumer<HashMap<Long, Long>, HashMap<Long, Long>> & Serializable)
            (counts, more) -> more.forEach((group, count) -> counts.merge(group, count, Long::sum));
    return member.numbers().values().stream().collect(groups, add, merge).size();
  }
}
