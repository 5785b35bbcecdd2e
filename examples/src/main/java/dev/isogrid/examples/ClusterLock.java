package dev.isogrid.examples;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.FencedLock;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StrongCounter;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Work that only one node of a cluster may do at a time. */
public final class ClusterLock {
  private ClusterLock() {}

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) {
    try (TwoNodes nodes = TwoNodes.of(args)) {
      nodes.first.counters().define("reports", CounterConfig.strong(0));
      try (ExecutorService jobs = Executors.newFixedThreadPool(2)) {
        jobs.submit(() -> report(nodes.first));
        jobs.submit(() -> report(nodes.second));
      }
      System.out.println("reports: " + nodes.first.counters().strong("reports").value());
    }
  }

  private static void report(Grid node) {
    StrongCounter reports = node.counters().strong("reports");
    FencedLock lock = node.locks().lock("nightly report");
    lock.lock();
    try {
      if (reports.value() == 0) { // the other node was not faster
        System.out.println("report made, fence greater than 0: " + (lock.fence() > 0));
        reports.incrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }
}
