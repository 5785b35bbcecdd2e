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
 * Runs tasks on nodes of the cluster, this one included. Immutable: each choice gives another
 * executor. By default all nodes run a task, and each has a minute for it. Thread-safe.
 *
 * {@snippet :
 * Map<String, Integer> sizes =
 *     grid.executor().submit(node -> node.cacheNames().size()).get();
 * }
 *
 * <p>Tasks are sent as Java objects, also to this node: the classes must be on all nodes, and what
 * a lambda captures must be {@link Serializable}. On a node they run on a pool of as many threads
 * as there are processors; tasks that do not fit into its queue are refused. A task is interrupted
 * when no caller waits for it any more.
 *
 * <p>A failed future has the exception of the task itself, with a suppressed {@link
 * NodeFailureNote} that names the node; failures of other nodes are added to the first as
 * suppressed ones. A node that did not answer, dead or slow, counts as an {@link
 * IndeterminateGridException}, since it may have run the task; an overloaded one as a {@link
 * RetryableGridException}.
 *
 * <p>Futures are completed, and consumers called, by threads of the grid that may block.
 */
public interface ClusterExecutor {
  /**
   * A task with a result, which is sent back and so must be serialisable.
   *
   * @param <T> the type of the result
   */
  @FunctionalInterface
  interface Task<T extends @Nullable Object> extends Function<Grid, T>, Serializable {}

  /** A task without a result. */
  @FunctionalInterface
  interface Action extends Runnable, Serializable {}

  /**
   * Receives the outcome of a task on a node.
   *
   * @param <T> the type of the result
   */
  @FunctionalInterface
  interface ResultConsumer<T extends @Nullable Object> {
    /**
     * Called once per node, for several nodes maybe at the same time.
     *
     * @param node the node's name, as in {@link #nodes}
     * @param result the task's result; null if it failed
     * @param failure the exception that it threw, or the reason for which there is no answer; null
     *     if it did not fail
     */
    void accept(String node, @Nullable T result, @Nullable Throwable failure);
  }

  /**
   * The names of all nodes that this one knows, sorted. If several nodes share a name, a suffix
   * tells them apart.
   */
  List<String> nodes();

  /**
   * With a time limit for a task, from sending it until its result is back, repeated tries
   * included.
   */
  ClusterExecutor timeout(long timeout, TimeUnit unit);

  /** As {@link #timeout(long, TimeUnit)}. */
  default ClusterExecutor timeout(Duration timeout) {
    return timeout(TimeUnit.MILLISECONDS.convert(timeout), TimeUnit.MILLISECONDS);
  }

  /** For all nodes. */
  ClusterExecutor onAllNodes();

  /** For these nodes. Submitting fails with {@link InvalidRequestException} if one is not there. */
  ClusterExecutor onNodes(Collection<String> names);

  /** For those nodes whose name passes; the predicate is called when a task is submitted. */
  ClusterExecutor onNodesThat(Predicate<String> wanted);

  /**
   * For one of the chosen nodes, a different one each time.
   *
   * @param failovers the number of other nodes to try, one after the other, if it fails for any
   *     reason, 0 or more. Then more than one node may run the task.
   */
  ClusterExecutor onOneNode(int failovers);

  /** As {@link #onOneNode(int)} without further tries. */
  default ClusterExecutor onOneNode() {
    return onOneNode(0);
  }

  /**
   * For the node that answers for a key. A node that fails is not tried again. If another node
   * answers for the key by then, that one is tried once.
   *
   * @param cache the name of an existing cache
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
