package dev.isogrid.chaos.fault;

import java.util.Locale;

/** The kinds of faults, by the names of the command line. */
public enum FaultKind {
  KILL,
  PAUSE,
  CUT,
  ONEWAY,
  RESTART,
  JOIN,
  MAJORITY,
  TWO;

  /** Whether it needs a network whose links can be cut. */
  public boolean needsCuts() {
    return this == CUT || this == ONEWAY;
  }

  /**
   * Whether nodes die together, so that only entries with a copy on each node are there after it.
   */
  public boolean needsCopiesEverywhere() {
    return this == MAJORITY || this == TWO;
  }

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
