package dev.isogrid.bench.load;

import java.util.Locale;

/** The kind of a request. */
public enum Operation {
  /** Reads an existing value. */
  GET,

  /** Replaces a value without returning the previous one. */
  PUT;

  /** The name in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
