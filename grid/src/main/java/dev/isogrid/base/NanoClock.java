package dev.isogrid.base;

/** A clock that never runs backwards; its zero means nothing. Thread-safe. */
@FunctionalInterface
public interface NanoClock {
  /** The time in nanoseconds; only differences mean anything. */
  long nanoTime();
}
