package dev.isogrid.mapreduce;

/** The task ended while a worker was busy with it; propagates to the worker's top. */
final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StoppedException() {
    super("task ended");
  }
}
