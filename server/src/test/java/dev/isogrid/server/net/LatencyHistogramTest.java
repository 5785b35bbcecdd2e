package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private final LatencyHistogram histogram = new LatencyHistogram();

  private LatencySnapshot snapshot() {
    LatencySnapshot.Sum sum = new LatencySnapshot.Sum();
    histogram.addTo(sum);
    return sum.snapshot();
  }

  @Test
  void buckets_followEachOther_withoutGaps() {
    for (int bucket = 0; bucket < LatencyHistogram.BUCKETS; bucket++) {
      long lower = LatencyHistogram.lowerNanos(bucket);
      long next = LatencyHistogram.lowerNanos(bucket + 1);
      assertTrue(lower < next);
      assertEquals(bucket, LatencyHistogram.bucket(lower));
      assertEquals(bucket, LatencyHistogram.bucket(next - 1));
      assertTrue(bucket < 4 || (next - lower) * 4 <= lower, "a quarter wide at most");
    }
    assertEquals(LatencyHistogram.BUCKETS - 1, LatencyHistogram.bucket(Long.MAX_VALUE));
  }

  @Test
  void snapshot_ofNothing_isZero() {
    assertEquals(0, snapshot().count());
    assertEquals(0, snapshot().meanNanos());
    assertEquals(0, snapshot().maxNanos());
    assertEquals(0, snapshot().percentileNanos(0.99));
  }

  @Test
  void percentiles_areNearThoseOfAllTimes() {
    long seed = Long.getLong("seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    long[] times = new long[5000];
    for (int i = 0; i < times.length; i++) {
      times[i] = 1L << random.nextInt(35);
      times[i] += random.nextLong(times[i]);
      histogram.record(times[i]);
    }
    Arrays.sort(times);
    LatencySnapshot snapshot = snapshot();
    assertEquals(times.length, snapshot.count());
    assertEquals(Arrays.stream(times).sum(), snapshot.sumNanos());
    assertEquals(times[times.length - 1], snapshot.maxNanos());
    for (double share : new double[] {0.001, 0.5, 0.9, 0.99, 0.999, 1}) {
      long exact = times[Math.max(0, (int) Math.ceil(share * times.length) - 1)];
      long shown = snapshot.percentileNanos(share);
      assertTrue(
          Math.abs(shown - exact) <= exact / 3 + 1,
          () -> "seed=%d, share=%s, exact=%d, shown=%d".formatted(seed, share, exact, shown));
    }
    for (int exponent = 0; exponent < 36; exponent++) {
      long bound = 1L << exponent;
      assertEquals(
          Arrays.stream(times).filter(time -> time < bound).count(), snapshot.countBelow(bound));
    }
  }

  @Test
  void record_byManyThreads_losesNothing() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 1; n <= 20_000; n++) {
                  histogram.record(n);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join(TimeUnit.MINUTES.toMillis(1));
    }
    assertEquals(160_000, snapshot().count());
    assertEquals(8L * 20_000 * 20_001 / 2, snapshot().sumNanos());
    assertEquals(20_000, snapshot().maxNanos());
    histogram.reset();
    assertEquals(0, snapshot().count());
  }
}
