package dev.isogrid.server.task;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.ServerTask;
import dev.isogrid.api.ServerTask.Where;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.JavaObjects;
import dev.isogrid.engine.CallTrace;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.engine.NodeService;
import dev.isogrid.node.Node;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.security.TaskNeeds;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs the tasks of a server, on this node or on all. Thread-safe; runs block. */
public final class TaskDesk implements NodeService, AutoCloseable {
  /** The number of the service between nodes. */
  static final int NUMBER = 50;

  /**
   * The most tasks at a time, each on a thread; further ones are refused. Many only wait for nodes.
   */
  private static final int RUNS_MAX = 64;

  private static final long RUN_MILLIS_MAX = TimeUnit.HOURS.toMillis(1);
  private static final long IDLE_SECONDS = 10;

  /** The most characters of an unknown name in messages. */
  private static final int SHOWN_LENGTH_MAX = 100;

  private final Node node;
  private final TaskLibrary library;
  private final Security security;
  private final ThreadPoolExecutor threads;

  /**
   * Serves a node with the tasks of a library, which is closed with this.
   *
   * @param security checks the permissions of each call, also from other nodes
   */
  public TaskDesk(Node node, TaskLibrary library, Security security) {
    this.node = node;
    this.library = library;
    this.security = security;
    this.threads =
        new ThreadPoolExecutor(
            0,
            RUNS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = Thread.ofPlatform().daemon().name("isogrid-task").unstarted(task);
              thread.setContextClassLoader(library.loader());
              return thread;
            });
    node.calls().offer(NUMBER, this);
  }

  /** All tasks by their names, sorted. */
  public Map<String, ServerTask<?>> all() {
    return library.all();
  }

  /** The factories for listeners of clients. */
  public ListenerFactories listenerFactories() {
    return library.listeners();
  }

  /** Whether there is a task of a name. */
  public boolean has(String name) {
    return library.find(name) != null;
  }

  /**
   * The role that a client needs to run a task; null if none is needed, or there is no such task.
   */
  public @Nullable String allowedRole(String name) {
    ServerTask<?> task = library.find(name);
    return task == null ? null : task.allowedRole().orElse(null);
  }

  /**
   * Runs a task, and waits for it. Each node that runs it checks the roles of the call's client.
   *
   * @return its result, or the list of all nodes' results
   * @throws AccessRefused if the client may not run it
   * @throws InvalidRequestException if there is no such task or cache
   * @throws TaskFailedException if it throws an exception
   * @throws RetryableGridException if too many run already
   * @throws IndeterminateGridException if it takes too long, or a node does not answer
   */
  public @Nullable Object run(TaskCall call) {
    ServerTask<?> task = task(call.task());
    return task.where() == Where.ONE_NODE ? runHere(task, call) : runOnAll(call);
  }

  private ServerTask<?> task(String name) {
    ServerTask<?> task = library.find(name);
    if (task == null) {
      String shown =
          name.length() <= SHOWN_LENGTH_MAX ? name : name.substring(0, SHOWN_LENGTH_MAX) + "...";
      throw new InvalidRequestException(
          "java.lang.IllegalArgumentException: Unknown task '%s'".formatted(shown));
    }
    return task;
  }

  private @Nullable Object runHere(ServerTask<?> task, TaskCall call) {
    Cache<?, ?> cache = call.cache() == null ? null : cache(call.cache());
    security.checkTask(call.caller(), "task " + call.task(), needs(task, cache));
    Context context = new Context(node, cache, call.parameters());
    Future<?> run;
    try {
      Callable<@Nullable Object> work =
          node.calls().within(node.calls().currentTrace(), () -> task.run(context));
      run = threads.submit(() -> work.call());
    } catch (RejectedExecutionException full) {
      throw new RetryableGridException(
          "too many tasks at a time: node=%s, max=%d; try again later"
              .formatted(node.nodeName(), RUNS_MAX),
          full);
    }
    return await(run, call);
  }

  /**
   * The permissions that a client needs. The server's own task also needs the one for reading
   * entries, which deployed tasks read with the server's permissions.
   */
  private static TaskNeeds needs(ServerTask<?> task, @Nullable Cache<?, ?> cache) {
    int exec = Requirements.task(task.name());
    int onCache = task instanceof WordCountTask ? exec | Permission.BULK_READ.mask() : exec;
    return new TaskNeeds(
        exec, cache == null ? null : cache.config(), onCache, task.allowedRole().orElse(null));
  }

  private @Nullable Object await(Future<?> run, TaskCall call) {
    try {
      return run.get(RUN_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof GridException known
          ? known
          : new TaskFailedException(call.task(), node.nodeName(), cause);
    } catch (TimeoutException late) {
      run.cancel(true);
      throw new IndeterminateGridException(
          "task took too long, and was interrupted: task=%s, node=%s, max=%d ms"
              .formatted(call.task(), node.nodeName(), RUN_MILLIS_MAX));
    } catch (InterruptedException e) {
      run.cancel(true);
      Thread.currentThread().interrupt();
      throw new IndeterminateGridException(
          "task was interrupted: task=%s, node=%s".formatted(call.task(), node.nodeName()));
    }
  }

  private Cache<?, ?> cache(String name) {
    Cache<?, ?> cache = node.findCache(name);
    if (cache == null) {
      throw new InvalidRequestException("no such cache: cache=" + name);
    }
    return cache;
  }

  private record Context(Grid grid, @Nullable Cache<?, ?> cache, Map<String, Object> parameters)
      implements ServerTask.Context {}

  // ---- on all nodes

  private List<@Nullable Object> runOnAll(TaskCall call) {
    ByteString request = bytes(call, "parameters of a task");
    List<CompletableFuture<ByteString>> answers = new ArrayList<>();
    try {
      for (NodeId each : nodes()) {
        CallTrace trace = node.calls().currentTrace();
        answers.add(node.calls().call(each, NUMBER, request, RUN_MILLIS_MAX, trace));
      }
      List<@Nullable Object> results = new ArrayList<>();
      for (ByteString answer : all(answers)) {
        results.add(object(answer));
      }
      return results;
    } catch (ExecutionException e) {
      throw failure(call, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IndeterminateGridException("task was interrupted: task=" + call.task());
    } finally {
      answers.forEach(answer -> answer.cancel(true));
    }
  }

  /** Waits for all answers in their order, or for the first failure of any. */
  static <T> List<T> all(List<CompletableFuture<T>> answers)
      throws ExecutionException, InterruptedException {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    for (CompletableFuture<T> answer : answers) {
      answer.whenComplete((_, failure) -> {
        if (failure != null) {
          all.completeExceptionally(failure);
        }
      });
    }
    all.get();
    return answers.stream().map(CompletableFuture::join).toList();
  }

  private List<NodeId> nodes() {
    Topology topology = node.topology();
    return topology == null
        ? List.of(node.calls().self())
        : topology.members().stream().map(Member::id).toList();
  }

  private static RuntimeException failure(TaskCall call, Throwable why) {
    if (!(why instanceof NodeCallException failed)) {
      return new IllegalStateException(why);
    }
    String where = "task=%s, %s".formatted(call.task(), failed.getMessage());
    return switch (failed.reason()) {
      case FAILED ->
          failed.getCause() instanceof RuntimeException thrown
              ? thrown
              : new TaskFailedException(call.task(), "another", failed);
      case BUSY -> new RetryableGridException("task not run: " + where + "; try again later");
      case NO_ANSWER -> new IndeterminateGridException("task may or may not have run: " + where);
    };
  }

  /** Serves a request of another node or of this one. */
  @Override
  public ByteString serve(NodeId from, ByteString request) throws Exception {
    TaskCall call = (TaskCall) object(request);
    if (call == null) {
      throw new InvalidRequestException("no task is named");
    }
    String cache = call.cache();
    node.calls().describe("exec", cache == null ? "" : cache);
    return bytes(runHere(task(call.task()), call), "result of a task");
  }

  private static ByteString bytes(@Nullable Object object, String what) {
    try {
      return JavaObjects.toBytes(object);
    } catch (IOException e) {
      throw new InvalidRequestException(
          "%s can't be sent between nodes: %s; make it Serializable".formatted(what, e), e);
    }
  }

  private @Nullable Object object(ByteString bytes) {
    try {
      byte[] array = bytes.toByteArray();
      return node.calls().objects().read(array, 0, array.length, library.loader());
    } catch (IOException | ClassNotFoundException e) {
      throw new InvalidRequestException(
          "a node's message about a task can't be read: %s; use the same jars on all".formatted(e),
          e);
    }
  }

  /** Interrupts the running tasks. */
  @Override
  public void close() {
    threads.shutdownNow();
    library.close();
  }
}
