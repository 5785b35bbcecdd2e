package dev.isogrid.node;

/** What can go wrong in the simulation of whole nodes. */
enum SimFault {
  /** Messages are lost, doubled, late and out of order. */
  WEATHER,
  /** Nothing comes from a node, or to it, or from one to another. */
  CUT,
  /** A process stands still. */
  PAUSE,
  /** A process stands still between a look at a clock and what follows from it. */
  PAUSE_INSIDE,
  /** A process dies, and is started again. */
  CRASH,
  /** All processes die, and are started again with nothing. */
  CRASH_OF_ALL,
  /** A node leaves as it should, and comes back. */
  LEAVE,
  /** A wall clock is set back or forth. */
  WALL_CLOCK,
  /** The clock for measuring stands still while the process goes on. */
  FROZEN_CLOCK,
  /** Links carry little. */
  SLOW_LINKS,
  /** Memory is short while messages are decoded or encoded. */
  CODEC_ERROR,
  /** Memory is short anywhere. */
  ERROR,
  /** Listeners of users fail. */
  LISTENER
}
