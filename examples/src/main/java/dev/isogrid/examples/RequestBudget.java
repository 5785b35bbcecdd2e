package dev.isogrid.examples;

import dev.isogrid.api.CounterBoundException;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.Grid;

/**
 * A budget of requests per user and day, as a bounded counter that all nodes of a cluster share.
 */
public final class RequestBudget {
  private static final int PER_DAY_MAX = 5;

  private final Grid grid;

  private RequestBudget(Grid grid) {
    this.grid = grid;
  }

  boolean mayPass(String user, String day) {
    String name = user + "@" + day;
    grid.counters().define(name, CounterConfig.boundedStrong(0, 0, PER_DAY_MAX));
    try {
      grid.counters().strong(name).incrementAndGet();
      return true;
    } catch (CounterBoundException used) {
      return false;
    }
  }

  /** Counters have no lifespan. */
  void forget(String user, String day) {
    grid.counters().undefine(user + "@" + day);
  }

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) {
    try (TwoNodes nodes = TwoNodes.of(args)) {
      RequestBudget here = new RequestBudget(nodes.first);
      RequestBudget there = new RequestBudget(nodes.second);
      int passed = 0;
      for (int i = 0; i < 10; i++) {
        passed += (i % 2 == 0 ? here : there).mayPass("ada", "2026-11-26") ? 1 : 0;
      }
      System.out.println("passed: " + passed + " of 10");
      here.forget("ada", "2026-11-26");
      System.out.println("counters left: " + nodes.second.counters().names().size());
    }
  }
}
