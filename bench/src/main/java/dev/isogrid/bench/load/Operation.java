package dev.isogrid.bench.load;

import java.util.Locale;

/** What a request does. */
public enum Operation {
  /** Reads a value that is there. */
  GET,

  /** Replaces a value, without asking for the one before. */
  PUT;

  /** The name in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
