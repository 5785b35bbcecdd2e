package dev.isogrid.node;

/** What can go wrong in the simulation of whole nodes. */
enum SimFault {
  /** Messages are lost, doubled, late and out of order. */
  WEATHER(true),
  /** Nothing comes from a node, or to it, or from one to another. */
  CUT(true),
  /** A process stands still. */
  PAUSE(true),
  /** A process stands still between a look at a clock and what follows from it. */
  PAUSE_INSIDE(true),
  /** A process dies, and is started again. */
  CRASH(true),
  /** All processes die, and are started again with nothing. */
  CRASH_OF_ALL(true),
  /** A wall clock is set back or forth. */
  WALL_CLOCK(true),
  /** Links carry little. */
  SLOW_LINKS(true),
  /** The clock for measuring stands still for a while, the process goes on. */
  FROZEN_CLOCK(false),
  /** A thread fails with an error, as when there is no memory, at some look at a clock. */
  ERROR(true);

  /** Whether the product bears it, so that it is part of runs that don't name their faults. */
  final boolean isBorne;

  SimFault(boolean isBorne) {
    this.isBorne = isBorne;
  }
}
