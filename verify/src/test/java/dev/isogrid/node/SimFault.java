package dev.isogrid.node;

/** The faults in the simulation of whole nodes. */
enum SimFault {
  /** Messages are lost, doubled, late and out of order. */
  WEATHER(true),
  /** Messages from a node, to it, or from one node to another are lost. */
  CUT(true),
  /** A process is paused. */
  PAUSE(true),
  /** A process is paused between reading a clock and acting on it. */
  PAUSE_INSIDE(true),
  /** A process dies, and restarts. */
  CRASH(true),
  /** A node leaves in an orderly way, and its process restarts. */
  LEAVE(true),
  /** All processes die, and restart empty. */
  CRASH_OF_ALL(true),
  /** A wall clock is set back or forth. */
  WALL_CLOCK(true),
  /** Links have little capacity. */
  SLOW_LINKS(true),
  /** The clock for measuring stops for a while, the process continues. */
  FROZEN_CLOCK(false),
  /** A thread fails with an error, as without memory, while reading a clock. */
  ERROR(true),
  /** A thread fails with an error, as without memory, while it encodes or decodes a message. */
  CODEC_ERROR(true),
  /** A process dies, or all do, and restart with their folders. For caches with stores only. */
  KILL(false),
  /** A cache is removed and defined again; meanwhile nodes die, with segments that no cache has. */
  REMOVE(false);

  /** Whether the product tolerates it, so that it is part of runs that do not name their faults. */
  final boolean isBorne;

  SimFault(boolean isBorne) {
    this.isBorne = isBorne;
  }
}
