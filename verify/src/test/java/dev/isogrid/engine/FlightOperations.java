package dev.isogrid.engine;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/** Counters that only flights keep from losing counts, for Lincheck to run in all orders. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class FlightOperations {
  private final Flights flights = new Flights("c", new FlightWaits());
  private final int[] counts = new int[2];

  /** Counts up in a flight, after the flights of others. */
  @Operation(params = "key")
  public int count(int key) {
    return counted(key, begin(key));
  }

  /** Counts up both counters, the second within the flight of the first. */
  @Operation
  public int countBoth() {
    Flight outer = begin(0);
    try {
      return 10 * (counts[0] = counts[0] + 1) + count(1);
    } finally {
      flights.end(outer);
    }
  }

  private Flight begin(int key) {
    Flight flight = null;
    while (flight == null) {
      flight = tryBegin(key);
    }
    return flight;
  }

  private @Nullable Flight tryBegin(int key) {
    Flight flight = flights.tryBegin(key, key);
    Flight ahead = flight == null ? flights.of(key) : null;
    if (ahead != null) {
      flights.await(ahead, Long.MAX_VALUE);
    }
    return flight;
  }

  private int counted(int key, Flight flight) {
    try {
      counts[key] = counts[key] + 1;
      return counts[key];
    } finally {
      flights.end(flight);
    }
  }
}
