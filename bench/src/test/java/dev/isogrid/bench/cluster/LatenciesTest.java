package dev.isogrid.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  private static final double WIDTH = 1.0 / 32;

  @Test
  void quantile_ofNothing_isZero() {
    assertEquals(0, new Latencies().quantile(0.5));
  }

  @Test
  void quantile_ofOneValue_isAtMostAClassAbove() {
    for (long nanos = 1; nanos > 0 && nanos < Long.MAX_VALUE / 3; nanos = nanos * 3 / 2 + 1) {
      Latencies latencies = new Latencies();
      latencies.add(nanos);
      long found = latencies.quantile(0.99);
      assertTrue(found >= nanos && found - nanos <= nanos * WIDTH, nanos + " -> " + found);
    }
  }

  @Test
  void quantile_ofManyAddedUp_isThatOfAll() {
    Latencies all = new Latencies();
    for (int part = 0; part < 10; part++) {
      Latencies some = new Latencies();
      for (int i = 1; i <= 1000; i++) {
        some.add(i * 1000L);
      }
      all.addAll(some);
    }
    assertEquals(10_000, all.count());
    assertEquals(500_000, (double) all.quantile(0.5), 500_000 * WIDTH);
    assertEquals(990_000, (double) all.quantile(0.99), 990_000 * WIDTH);
  }
}
