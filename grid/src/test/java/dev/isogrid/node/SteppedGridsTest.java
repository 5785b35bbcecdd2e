package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.*;
import org.junit.jupiter.api.*;
import dev.isogrid.store.*;

class SteppedGridsTest {
  @RepeatedTest(10)
  void x() throws Exception {
    long t0 = System.nanoTime();
    try (SteppedGrids grids = SteppedGrids.start(1, 1, 1)) {
      long t1 = System.nanoTime();
      for (CacheMode mode : CacheMode.values()) {
      grids.create(mode.name(), CacheConfig.builder().mode(mode).segments(4).build());
      long t2 = System.nanoTime();
      for (int i = 0; i < 1000; i++) {
        Cache<String, String> c = grids.nodes().get(i % 3).cache(mode.name());
        c.put("a" + i, "b");
        assertEquals("b", c.get("a" + i));
      }
      System.out.println(mode + " " + grids.nodes().get(0).cache(mode.name()).size());
      long t3 = System.nanoTime();
      grids.time.settle();
      long t4 = System.nanoTime();
      System.out.println((t1 - t0) / 1000 + " " + (t2 - t1) / 1000 + " " + (t3 - t2) / 1000+ " " + (t4 - t3) / 1000);
      t1 = System.nanoTime();
    }}
  }
}
