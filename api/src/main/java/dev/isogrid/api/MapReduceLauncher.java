package dev.isogrid.api;

/** Starts a map/reduce: what a grid implements. */
@FunctionalInterface
public interface MapReduceLauncher {
  /** Starts it, and returns. */
  <A, B> MapReduceJob<A, B> start(MapReduceTask<A, B> task);
}
