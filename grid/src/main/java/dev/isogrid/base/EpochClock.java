package dev.isogrid.base;

/** The wall clock. May be set back and forth. Thread-safe. */
@FunctionalInterface
public interface EpochClock {
  /** Milliseconds since the beginning of 1970, UTC. */
  long millis();
}
