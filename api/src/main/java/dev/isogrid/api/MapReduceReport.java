package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * A map/reduce that runs or ran, for monitoring of the node that started it. Immutable.
 *
 * @param id its unique id
 * @param cache the name of the mapped cache
 * @param state its state
 * @param startedMillis when it was started, milliseconds since 1970
 * @param stats the counts so far, or the final ones if it has ended
 * @param failure the reason of a failure, or null
 */
public record MapReduceReport(
    String id,
    String cache,
    State state,
    long startedMillis,
    MapReduceStats stats,
    @Nullable String failure) {
  /** The state of a map/reduce. */
  public enum State {
    /** It is under way, or its result has not been taken yet. */
    RUNNING,
    /** Its result was handed over. */
    DONE,
    /** It ended without a result: it failed, was cancelled, or took too long. */
    FAILED
  }
}
