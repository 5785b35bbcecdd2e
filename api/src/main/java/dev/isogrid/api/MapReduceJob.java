package dev.isogrid.api;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A map/reduce that was started. Its result can be taken once, by one of {@link #result}, {@link
 * #resultAsync} and {@link #forEach}; that frees its memory and files on the nodes. Thread-safe.
 *
 * @param <A> the keys of the result
 * @param <B> the values of the result
 */
public interface MapReduceJob<A, B> {
  /**
   * Waits for the result.
   *
   * @return a new map
   * @throws MapReduceException if it fails, is cancelled or takes too long
   * @throws IllegalStateException if the result was asked for before
   */
  Map<A, B> result();

  /** A future of the result; cancelling it cancels the task. */
  CompletableFuture<Map<A, B>> resultAsync();

  /**
   * Waits for the result and hands it over, pair by pair, without all of it in memory at any time.
   * If a node that reduces fails meanwhile, its pairs may come twice.
   *
   * @param action called by one thread at a time
   * @throws MapReduceException if it fails, is cancelled or takes too long
   * @throws IllegalStateException if the result was asked for before
   */
  void forEach(BiConsumer<? super A, ? super B> action);

  /** Ends it on all nodes, soon. No effect if it has ended. */
  void cancel();

  /** Returns the counts so far, or the final ones if it has ended. */
  MapReduceStats stats();
}
