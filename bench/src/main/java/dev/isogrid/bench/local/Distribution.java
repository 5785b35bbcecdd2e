package dev.isogrid.bench.local;

import java.util.SplittableRandom;

/** The frequency of each key. */
public enum Distribution {
  /** All keys equally often. */
  UNIFORM,

  /** The key of rank r in proportion to r to the power of -0.99; ranks are spread over the keys. */
  ZIPF;

  private static final double ZIPF_EXPONENT = 0.99;

  /**
   * Random indexes of keys, the same for the same arguments.
   *
   * @param length their number, 1 or more
   * @param keys the bound of the indexes, 1 or more
   */
  public int[] sequence(int length, int keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sequence = new int[length];
    if (this == UNIFORM) {
      for (int i = 0; i < length; i++) {
        sequence[i] = random.nextInt(keys);
      }
      return sequence;
    }
    double[] sums = zipfSums(keys);
    int[] keyOfRank = shuffled(keys, random);
    for (int i = 0; i < length; i++) {
      sequence[i] = keyOfRank[rank(sums, random.nextDouble() * sums[keys - 1])];
    }
    return sequence;
  }

  private static double[] zipfSums(int keys) {
    double[] sums = new double[keys];
    double sum = 0;
    for (int rank = 0; rank < keys; rank++) {
      sum += Math.pow(rank + 1, -ZIPF_EXPONENT);
      sums[rank] = sum;
    }
    return sums;
  }

  private static int[] shuffled(int count, SplittableRandom random) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      numbers[i] = numbers[other];
      numbers[other] = i;
    }
    return numbers;
  }

  /** The first rank whose sum is above {@code point}. */
  private static int rank(double[] sums, double point) {
    int low = 0;
    int high = sums.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sums[middle] > point) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
