package dev.isogrid.api;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Has tasks done by nodes of the cluster, this one included. Immutable: each choice gives another
 * executor. Without a choice all nodes do a task, and each has a minute for it. Thread-safe.
 *
 * {@snippet :
 * Map<String, Integer> sizes =
 *     grid.executor().submit(node -> node.cacheNames().size()).get();
 * }
 *
 * <p>Tasks travel as Java objects, also to this node: the classes must be on all nodes, and what a
 * lambda captures must be {@link Serializable}. On a node they run on a pool of as many threads as
 * there are processors; what does not fit into its queue is refused. A task that nobody waits for
 * any more is interrupted.
 *
 * <p>A failed future has what the task threw, itself, with a suppressed {@link NodeFailureNote}
 * that names the node; failures of other nodes are suppressed ones of the first. A node that did
 * not answer, be it dead or slow, gives an {@link IndeterminateGridException}, since it may have
 * done the task; one that had too much to do a {@link RetryableGridException}.
 *
 * <p>Futures are completed, and consumers called, by threads of the grid that may block.
 */
public interface ClusterExecutor {
  /**
   * A task that gives a result, which travels back and so must be serialisable.
   *
   * @param <T> the type of the result
   */
  @FunctionalInterface
  interface Task<T extends @Nullable Object> extends Function<Grid, T>, Serializable {}

  /** A task without a result. */
  @FunctionalInterface
  interface Action extends Runnable, Serializable {}

  /**
   * Gets what became of a task on a node.
   *
   * @param <T> the type of the result
   */
  @FunctionalInterface
  interface ResultConsumer<T extends @Nullable Object> {
    /**
     * Takes it. Calls for several nodes may come at the same time.
     *
     * @param node the node's name, as in {@link #nodes}
     * @param result what the task gave; null if it failed
     * @param failure what it threw, or why nothing came back; null if it did not fail
     */
    void accept(String node, @Nullable T result, @Nullable Throwable failure);
  }

  /**
   * The names of the nodes that there are as far as this one knows, sorted. Where several nodes
   * have one name, that is followed by what tells them apart.
   */
  List<String> nodes();

  /** With a limit for a task from being sent to its result's coming back, other tries included. */
  ClusterExecutor timeout(long timeout, TimeUnit unit);

  /** As {@link #timeout(long, TimeUnit)}. */
  default ClusterExecutor timeout(Duration timeout) {
    return timeout(TimeUnit.MILLISECONDS.convert(timeout), TimeUnit.MILLISECONDS);
  }

  /** For all nodes. */
  ClusterExecutor onAllNodes();

  /** For these nodes. Submitting fails with {@link InvalidRequestException} if one is not there. */
  ClusterExecutor onNodes(Collection<String> names);

  /** For those nodes whose name passes; it is asked when a task is submitted. */
  ClusterExecutor onNodesThat(Predicate<String> wanted);

  /**
   * For one node of those chosen, another one each time.
   *
   * @param failovers how often another one is tried if it fails, by whatever reason, 0 or more. The
   *     task may be done by more than one node then.
   */
  ClusterExecutor onOneNode(int failovers);

  /** As {@link #onOneNode(int)} without another try. */
  default ClusterExecutor onOneNode() {
    return onOneNode(0);
  }

  /**
   * For the node that answers for a key. A node that fails is not tried again; but if another one
   * has the key then, that one is tried, once.
   *
   * @param cache the name of a cache that there is
   */
  ClusterExecutor onPrimaryOf(String cache, Object key);

  /**
   * Submits a task.
   *
   * @return completed when all nodes are done; cancelling it cancels the task on all of them
   * @throws InvalidRequestException if the task can't be serialised, naming what can't; or if no
   *     node is chosen
   */
  CompletableFuture<@Nullable Void> submit(Action action);

  /**
   * Submits a task.
   *
   * @return the results by nodes' names, when all are there; cancelling it cancels the task on all
   *     nodes
   * @throws InvalidRequestException as {@link #submit(Action)}
   */
  <T extends @Nullable Object> CompletableFuture<Map<String, T>> submit(Task<T> task);

  /**
   * Submits a task whose results are taken as they come.
   *
   * @param consumer gets the result of each node; if it throws, the future fails with that
   * @return completed when the consumer got all results, whether they failed or not; cancelling it
   *     cancels the task on all nodes
   * @throws InvalidRequestException as {@link #submit(Action)}
   */
  <T extends @Nullable Object> CompletableFuture<@Nullable Void> submit(
      Task<T> task, ResultConsumer<? super T> consumer);
}
