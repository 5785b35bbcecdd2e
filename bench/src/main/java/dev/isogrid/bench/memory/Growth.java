package dev.isogrid.bench.memory;

import java.util.function.ToLongFunction;

/**
 * The growth of a process's memory by a load, in bytes per entry; NaN for a figure that does not
 * exist.
 *
 * @param process by {@link Reading#processBytes}
 * @param heap objects on the heap
 * @param resident the resident set
 * @param proportional the proportional set
 * @param own the process's own count
 * @param reserved the memory outside of the heap, as the process itself reports it
 */
record Growth(
    double process,
    double heap,
    double resident,
    double proportional,
    double own,
    double reserved) {

  /** The difference of two readings, the load between them. */
  static Growth of(DataSet set, Reading before, Reading after) {
    return new Growth(
        each(set, before, after, Reading::processBytes),
        each(set, before, after, reading -> reading.heap().usedBytes()),
        each(set, before, after, reading -> reading.all().residentBytes()),
        each(set, before, after, reading -> reading.all().proportionalBytes()),
        own(set, before, after, OwnCount::allocatedBytes),
        own(set, before, after, OwnCount::reservedBytes));
  }

  private static double each(
      DataSet set, Reading before, Reading after, ToLongFunction<Reading> figure) {
    return (double) (figure.applyAsLong(after) - figure.applyAsLong(before)) / set.count();
  }

  private static double own(
      DataSet set, Reading before, Reading after, ToLongFunction<OwnCount> figure) {
    return figure.applyAsLong(after.own()) == OwnCount.UNKNOWN
        ? Double.NaN
        : each(set, before, after, reading -> figure.applyAsLong(reading.own()));
  }
}
