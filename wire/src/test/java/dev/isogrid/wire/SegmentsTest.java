package dev.isogrid.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static int byDivision(int hash, int count) {
    long partSize = ((1L << 31) + count - 1) / count;
    return (int) ((hash & Integer.MAX_VALUE) / partSize);
  }

  @Test
  void of_anyHashAndCount_isTheDivision() {
    SplittableRandom random = new SplittableRandom(Long.getLong("seed", 7));
    for (int count = 1; count <= 1000; count++) {
      Segments segments = new Segments(count);
      assertEquals(count, segments.count());
      for (int i = 0; i < 100; i++) {
        int hash = random.nextInt();
        assertEquals(byDivision(hash, count), segments.of(hash));
      }
    }
  }

  @Test
  void of_theLargestHash_isTheLastSegmentOrBefore() {
    for (int count : new int[] {1, 2, 3, 60, 256, 65_536}) {
      Segments segments = new Segments(count);
      for (int hash : new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        assertTrue(segments.of(hash) >= 0 && segments.of(hash) < count);
      }
    }
  }

  @Test
  void count_belowOne_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Segments(0));
  }
}
