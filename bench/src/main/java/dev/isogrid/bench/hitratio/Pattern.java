package dev.isogrid.bench.hitratio;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * A sequence of requested keys, the same for the same arguments.
 *
 * @param name the name in reports
 * @param maker makes it
 */
record Pattern(String name, Maker maker) {
  /** The first number of keys that are requested only once. */
  private static final int ONCE = 1 << 28;

  private static final long SEED = 42;

  /** Makes the keys of a pattern. */
  @FunctionalInterface
  interface Maker {
    IntUnaryOperator of(int capacity, SplittableRandom random);
  }

  /** The keys for a cache of a capacity. */
  int[] keys(int capacity, int length) {
    int[] keys = new int[length];
    IntUnaryOperator keyOf = maker.of(capacity, new SplittableRandom(SEED));
    for (int i = 0; i < length; i++) {
      keys[i] = keyOf.applyAsInt(i);
    }
    return keys;
  }

  /** Keys by Zipf's law, of a number of ranks that is a multiple of the capacity. */
  static Pattern zipf(double exponent, int multiple) {
    return new Pattern(
        "Zipf %.1f, %d x".formatted(exponent, multiple),
        (capacity, random) -> zipf(exponent, multiple * capacity, random));
  }

  private static IntUnaryOperator zipf(double exponent, int count, SplittableRandom random) {
    double[] sums = new double[count];
    double sum = 0;
    for (int rank = 0; rank < count; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      sums[rank] = sum;
    }
    return _ -> {
      int found = Arrays.binarySearch(sums, random.nextDouble() * sums[count - 1]);
      return Math.min(found < 0 ? ~found : found, count - 1);
    };
  }

  /** Zipf; now and then half of the requests go through twice the capacity of new keys. */
  static Pattern scans() {
    return new Pattern(
        "Zipf 0.9 with scans",
        (capacity, random) -> {
          IntUnaryOperator zipf = zipf(0.9, 20 * capacity, random);
          int[] next = {ONCE};
          int[] left = {0};
          return i -> {
            if (left[0] == 0 && random.nextInt(5 * capacity) == 0) {
              left[0] = 2 * capacity;
            }
            if (left[0] > 0 && (i & 1) == 0) {
              left[0]--;
              return next[0]++;
            }
            return zipf.applyAsInt(i);
          };
        });
  }

  /** The same keys repeatedly. */
  static Pattern loop(double multiple) {
    return new Pattern(
        "loop of %.1f x".formatted(multiple),
        (capacity, _) -> {
          int count = (int) (capacity * multiple);
          return i -> i % count;
        });
  }

  /** Zipf; all keys are replaced by others from time to time. */
  static Pattern shifts() {
    return new Pattern(
        "shifting hot set",
        (capacity, random) -> {
          IntUnaryOperator zipf = zipf(1.0, 10 * capacity, random);
          return i -> i / (20 * capacity) * 10 * capacity + zipf.applyAsInt(i);
        });
  }

  /** Zipf; the ranks move on by a tenth of the capacity every two capacities of requests. */
  static Pattern drift() {
    return new Pattern(
        "drifting hot set",
        (capacity, random) -> {
          IntUnaryOperator zipf = zipf(0.9, 10 * capacity, random);
          return i -> i / (2 * capacity) * (capacity / 10) + zipf.applyAsInt(i);
        });
  }

  /** Random keys of a window of 1.5 capacities that moves on by a key every four requests. */
  static Pattern window() {
    return new Pattern(
        "sliding window", (capacity, random) -> i -> i / 4 + random.nextInt(3 * capacity / 2));
  }

  /** Newer keys more often; a new key every three requests. */
  static Pattern recent() {
    return new Pattern(
        "recent keys", (capacity, random) -> i -> Math.max(0, i / 3 - back(capacity / 2, random)));
  }

  private static int back(int mean, SplittableRandom random) {
    return (int) (-Math.log(1 - random.nextDouble()) * mean);
  }

  /** Distances in the order of last use that are spread evenly on a logarithmic scale. */
  static Pattern stackDistance() {
    return new Pattern(
        "stack distances",
        (capacity, random) -> {
          UseOrder order = new UseOrder();
          return _ -> {
            int distance = (int) Math.exp(random.nextDouble() * Math.log(8.0 * capacity));
            return random.nextInt(20) == 0 ? order.add() : order.use(distance);
          };
        });
  }

  /** Zipf, then with single requests, then with a loop, then recent keys, and so on. */
  static Pattern mix() {
    return new Pattern(
        "all of it in turn",
        (capacity, random) -> {
          IntUnaryOperator zipf = zipf(0.9, 10 * capacity, random);
          int[] next = {ONCE};
          return i -> {
            int phase = i / (10 * capacity) % 4;
            if (phase == 3) {
              return (1 << 27) + i / 3 - back(capacity / 3, random);
            }
            if (phase == 0 || random.nextBoolean()) {
              return zipf.applyAsInt(i);
            }
            return phase == 1 ? next[0]++ : (1 << 26) + i % capacity;
          };
        });
  }
}
