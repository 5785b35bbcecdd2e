package dev.isogrid.node;

import dev.isogrid.api.ClusterExecutor;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeService;
import dev.isogrid.topology.NodeId;
import org.jspecify.annotations.Nullable;

/** Does the tasks of {@link ClusterExecutor} on a node. Thread-safe. */
final class TaskService implements NodeService {
  /** The number by which nodes ask for it. */
  static final int NUMBER = 20;

  private final Grid grid;
  private final ObjectShipping shipping;
  private final UserThreads threads;

  TaskService(Grid grid, ObjectShipping shipping, UserThreads threads) {
    this.grid = grid;
    this.shipping = shipping;
    this.threads = threads;
  }

  @Override
  public ByteString serve(NodeId from, ByteString request) throws Exception {
    Object task = shipping.fromBytes(request, "a task");
    return threads.call(() -> shipping.toBytes(run(task), "the result of a task"));
  }

  private @Nullable Object run(@Nullable Object task) {
    return switch (task) {
      case ClusterExecutor.Task<?> function -> function.apply(grid);
      case ClusterExecutor.Action action -> {
        action.run();
        yield null;
      }
      case null, default -> throw new InvalidRequestException("no task: object=" + task);
    };
  }
}
