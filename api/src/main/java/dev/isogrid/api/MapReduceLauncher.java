package dev.isogrid.api;

/** Starts a map/reduce; implemented by a grid. */
@FunctionalInterface
public interface MapReduceLauncher {
  /** Starts a task without waiting for its end. */
  <A, B> MapReduceJob<A, B> start(MapReduceTask<A, B> task);
}
