package dev.isogrid.verify.lincheck;

import dev.isogrid.server.net.InputBudgetOperations;

/** The sequential results of the operations of a budget. */
public class SequentialInputBudget {
  private int taken;

  /** As the operation of the budget. */
  public boolean tryTake(int bytes) {
    boolean isTaken = taken + bytes <= InputBudgetOperations.MAX;
    taken += isTaken ? bytes : 0;
    return isTaken;
  }

  /** As the operation of the budget. */
  public void give(int bytes) {
    taken -= bytes;
  }
}
