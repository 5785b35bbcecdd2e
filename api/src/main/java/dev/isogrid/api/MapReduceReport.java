package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * A map/reduce that runs or ran, for those who watch the node that started it. Immutable.
 *
 * @param id tells it from all others
 * @param cache the name of the cache that it goes through
 * @param state how far it is
 * @param startedMillis when it was started, milliseconds since 1970
 * @param stats what was counted until now, or in all if it has ended
 * @param failure why it failed, or null
 */
public record MapReduceReport(
    String id,
    String cache,
    State state,
    long startedMillis,
    MapReduceStats stats,
    @Nullable String failure) {
  /** How far a map/reduce is. */
  public enum State {
    /** It is under way, or waits for somebody to take its result. */
    RUNNING,
    /** Its result was handed over. */
    DONE,
    /** It ended without a result: it failed, was cancelled, or took too long. */
    FAILED
  }
}
