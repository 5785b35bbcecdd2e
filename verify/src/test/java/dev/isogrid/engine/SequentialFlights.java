package dev.isogrid.engine;

/** What {@link FlightOperations} give one after the other. */
public class SequentialFlights {
  private final int[] counts = new int[2];

  /** As there. */
  public int count(int key) {
    return ++counts[key];
  }

  /** As there: nobody sees the first count before the second one is done. */
  public int countBoth() {
    return 10 * ++counts[0] + ++counts[1];
  }
}
