package dev.isogrid.engine;

/** The sequential results of {@link FlightOperations}. */
public class SequentialFlights {
  private final int[] counts = new int[2];

  /** As in {@link FlightOperations}. */
  public int count(int key) {
    return ++counts[key];
  }

  /**
   * As in {@link FlightOperations}: no other thread sees the first count before the second one is
   * done.
   */
  public int countBoth() {
    return 10 * ++counts[0] + ++counts[1];
  }
}
