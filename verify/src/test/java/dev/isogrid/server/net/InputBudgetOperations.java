package dev.isogrid.server.net;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * The operations of a budget of three bytes, for Lincheck to run in all orders. Waiting is
 * excluded: {@code tryTake} may refuse while another caller's wait is about to be granted.
 */
@Param(name = "bytes", gen = IntGen.class, conf = "1:2")
public class InputBudgetOperations {
  /** The most bytes at the same time. */
  public static final int MAX = 3;

  private final InputBudget budget = new InputBudget(MAX);

  /** As the operation of the budget. */
  @Operation(params = "bytes")
  public boolean tryTake(int bytes) {
    return budget.tryTake(bytes);
  }

  /** As the operation of the budget. */
  @Operation(params = "bytes")
  public void give(int bytes) {
    budget.give(bytes);
  }
}
