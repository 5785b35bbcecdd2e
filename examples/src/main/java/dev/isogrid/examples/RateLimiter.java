package dev.isogrid.examples;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import java.util.concurrent.TimeUnit;

/** A limit of requests per user and second that all nodes of a cluster keep together. */
public final class RateLimiter {
  private static final int PER_SECOND_MAX = 5;

  private final Cache<String, Integer> counts;

  private RateLimiter(Cache<String, Integer> counts) {
    this.counts = counts;
  }

  boolean mayPass(String user, long second) {
    return counts.merge(user + "@" + second, 1, Integer::sum) <= PER_SECOND_MAX;
  }

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) {
    CacheConfig config =
        CacheConfig.builder().mode(CacheMode.DIST_SYNC).lifespan(2, TimeUnit.SECONDS).build();
    try (TwoNodes nodes = TwoNodes.of(args)) {
      RateLimiter here = new RateLimiter(nodes.first.cache("requests", config));
      RateLimiter there = new RateLimiter(nodes.second.cache("requests"));
      long second = System.currentTimeMillis() / 1000; // tidy: a program of a user
      int passed = 0;
      for (int i = 0; i < 10; i++) {
        passed += (i % 2 == 0 ? here : there).mayPass("ada", second) ? 1 : 0;
      }
      System.out.println("passed: " + passed + " of 10");
    }
  }
}
