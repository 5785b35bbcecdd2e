package dev.isogrid.bench.load;

import java.util.Locale;

/** The kind of the requests of a load. */
public enum Operation {
  /** Reads an existing value. */
  GET,

  /** Replaces a value without returning the previous one. */
  PUT,

  /** One put after each four gets. */
  MIXED;

  private static final int MIX_PERIOD = 5;

  /** The kind of one request of the load, {@link #GET} or {@link #PUT}, by its number. */
  public Operation of(long number) {
    if (this != MIXED) {
      return this;
    }
    return number % MIX_PERIOD == MIX_PERIOD - 1 ? PUT : GET;
  }

  /** The name in reports. */
  public String label() {
    return this == MIXED ? "80:20" : name().toLowerCase(Locale.ROOT);
  }
}
