package dev.isogrid.bench.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DistributionTest {
  private static final int LENGTH = 1_000_000;
  private static final int KEYS = 1000;

  @Test
  void sequence_uniform_hasEachKeyAboutAsOften() {
    int[] counts = sortedCounts(Distribution.UNIFORM);
    assertEquals(LENGTH / KEYS, counts[0], 200);
    assertEquals(LENGTH / KEYS, counts[KEYS - 1], 200);
  }

  @Test
  void sequence_zipf_fallsWithTheRank() {
    double sum = 0;
    for (int rank = 1; rank <= KEYS; rank++) {
      sum += Math.pow(rank, -0.99);
    }
    int[] counts = sortedCounts(Distribution.ZIPF);
    for (int rank : new int[] {1, 2, 10, 100}) {
      double expected = LENGTH * Math.pow(rank, -0.99) / sum;
      assertEquals(expected, counts[KEYS - rank], expected / 10, "rank=" + rank);
    }
  }

  @Test
  void sequence_ofASeed_isAlwaysTheSame() {
    int[] sequence = Distribution.ZIPF.sequence(100, KEYS, 1);
    assertArrayEquals(sequence, Distribution.ZIPF.sequence(100, KEYS, 1));
    assertNotEquals(
        Arrays.toString(sequence), Arrays.toString(Distribution.ZIPF.sequence(100, KEYS, 2)));
  }

  private static int[] sortedCounts(Distribution distribution) {
    int[] counts = new int[KEYS];
    for (int key : distribution.sequence(LENGTH, KEYS, 42)) {
      counts[key]++;
    }
    Arrays.sort(counts);
    return counts;
  }
}
