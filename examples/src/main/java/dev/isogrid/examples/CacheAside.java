package dev.isogrid.examples;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cache before a slow database: however many threads on whichever nodes miss a key at the same
 * time, one of them loads it.
 */
public final class CacheAside {
  record Product(int id, String name, BigDecimal price) {}

  private static final AtomicInteger LOADS = new AtomicInteger();

  private CacheAside() {}

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) throws Exception {
    CacheConfig config =
        CacheConfig.builder().mode(CacheMode.DIST_SYNC).lifespan(10, TimeUnit.MINUTES).build();
    try (TwoNodes nodes = TwoNodes.of(args);
        ExecutorService users = Executors.newFixedThreadPool(8)) {
      Cache<Integer, Product> here = nodes.first.cache("products", config);
      Cache<Integer, Product> there = nodes.second.cache("products");
      List<Future<Product>> answers = new ArrayList<>();
      for (int user = 0; user < 8; user++) {
        Cache<Integer, Product> cache = user % 2 == 0 ? here : there;
        answers.add(users.submit(() -> cache.computeIfAbsent(42, CacheAside::fromDatabase)));
      }
      for (Future<Product> answer : answers) {
        System.out.println(answer.get());
      }
      System.out.println("loads: " + LOADS);
    }
  }

  private static Product fromDatabase(int id) {
    LOADS.incrementAndGet();
    return new Product(id, "a book", new BigDecimal("12.50"));
  }
}
