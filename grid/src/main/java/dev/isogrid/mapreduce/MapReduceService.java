package dev.isogrid.mapreduce;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceReport;
import dev.isogrid.api.MapReduceReport.State;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.CallTrace;
import dev.isogrid.engine.CallTraces;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.mapreduce.Control.Alive;
import dev.isogrid.mapreduce.Control.Close;
import dev.isogrid.mapreduce.Control.Open;
import dev.isogrid.mapreduce.Control.Part;
import dev.isogrid.mapreduce.Control.Step;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.NodeId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The part of a node in map/reduces, its own and those of other nodes. Thread-safe. */
public final class MapReduceService implements AutoCloseable {
  private static final System.Logger log = System.getLogger(MapReduceService.class.getName());

  /** The numbers of the services between nodes. */
  static final int CONTROL = 40;

  static final int DATA = 41;

  /**
   * The approximate size of a result's parts. Their arrays are below half a region of the smallest
   * heap, above which the garbage collector gives each regions of its own.
   */
  private static final int PART_BYTES = 192 << 10;

  /** The most tasks in which a node takes part at a time. */
  private static final int TASKS_MAX = 100;

  /** The most ended tasks that are remembered, without their results. */
  private static final int FINISHED_MAX = 100;

  /** The most attempts of all tasks that wait for a thread. */
  private static final int ATTEMPTS_MAX = 100_000;

  /**
   * The time without a message of its starter after which a task is forgotten; the starter sends
   * one every 10 s.
   */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  static final long HEARTBEAT_MILLIS = 10_000;

  /** The least memory for pairs, however full the heap is. */
  private static final long MEMORY_MIN_BYTES = 8 << 20;

  private final NodeCalls calls;
  private final Env env;
  private final Function<String, @Nullable MapSource<?, ?>> sources;
  private final int workers = Runtime.getRuntime().availableProcessors();
  private final ThreadPoolExecutor pool;
  private final PairCleaning cleaning;
  private final Map<TaskKey, NodeTask> tasks = new ConcurrentHashMap<>();

  /** Those of {@link #tasks} that are in a trace. */
  private final Map<TaskKey, TracedTask> traced = new ConcurrentHashMap<>();

  private final Map<Job<?, ?>, Boolean> jobs = new ConcurrentHashMap<>();

  /** Guarded by itself. */
  private final ArrayDeque<MapReduceReport> finished = new ArrayDeque<>();

  /** This node's part of a task in a trace. */
  private record TracedTask(CallTrace trace, String cache, long beganNanos) {}

  private Scheduler.@Nullable Task sweep;
  private volatile boolean isClosed;

  /**
   * Begins to serve.
   *
   * @param sources the caches of this node by name; returns null for others
   */
  public MapReduceService(
      NodeCalls calls, Env env, Function<String, @Nullable MapSource<?, ?>> sources) {
    this.calls = calls;
    this.env = env;
    this.sources = sources;
    this.pool =
        new ThreadPoolExecutor(
            workers,
            workers,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(ATTEMPTS_MAX),
            Thread.ofPlatform().name("isogrid-mapreduce-", 0).daemon().factory());
    pool.allowCoreThreadTimeOut(true);
    calls.offer(CONTROL, this::control);
    calls.offer(DATA, this::data);
    this.cleaning = new PairCleaning(calls, sources, this::isRunning);
  }

  /** Whether this node started a task that has not ended. */
  private boolean isRunning(UUID task) {
    return jobs.keySet().stream().anyMatch(job -> job.id().equals(task));
  }

  NodeCalls calls() {
    return calls;
  }

  Env env() {
    return env;
  }

  /**
   * Starts a task; see {@link MapReduceTask#start}.
   *
   * @throws FatalGridException if the node is closed
   */
  public <A, B> MapReduceJob<A, B> start(MapReduceTask<A, B> task) {
    if (isClosed) {
      throw closed(null);
    }
    Job<A, B> job = new Job<>(this, task, source(task.input().cache().name()));
    jobs.put(job, true);
    job.begin();
    if (isClosed) {
      job.cancel(); // it came too late for those that the close cancels
    }
    return job;
  }

  /** The failure of all tasks after the close of the node. */
  FatalGridException closed(@Nullable Throwable cause) {
    return new FatalGridException(
        "grid closed: node=" + calls.names().ofSelf() + "; start a new one", cause);
  }

  /** Notes the end of a task. */
  void ended(Job<?, ?> job, @Nullable Throwable failure) {
    synchronized (finished) {
      if (finished.size() == FINISHED_MAX) {
        finished.removeFirst();
      }
      finished.add(job.report(failure == null ? State.DONE : State.FAILED, failure));
      jobs.remove(job);
    }
  }

  /** The running tasks of this node, and the last ones that ended; oldest first. */
  public List<MapReduceReport> reports() {
    List<MapReduceReport> reports = new ArrayList<>();
    synchronized (finished) { // so that a task is in one of the two
      reports.addAll(finished);
      jobs.keySet().forEach(job -> reports.add(job.report(State.RUNNING, null)));
    }
    reports.sort(Comparator.comparingLong(MapReduceReport::startedMillis));
    return reports;
  }

  private MapSource<?, ?> source(String cache) {
    MapSource<?, ?> source = sources.apply(cache);
    if (source == null) {
      throw new RetryableGridException(
          "no such cache on a node: cache=%s, node=%s".formatted(cache, calls.names().ofSelf()));
    }
    return source;
  }

  // ---- requests of nodes

  private ByteString control(NodeId from, ByteString request) throws Exception {
    return serve(from, ControlCodec.message(request, calls.objects()));
  }

  /** Serves a request of another node or of this one. */
  private ByteString serve(NodeId from, Control control) throws Exception {
    return switch (control) {
      case Open open -> {
        open(from, open.key(), open.spec(), calls.currentTrace());
        yield ByteString.of(new byte[0]);
      }
      case Step step -> answerOf(task(step.key()).step(step));
      case Part part -> task(part.key()).part(part, PART_BYTES);
      case Alive alive -> {
        task(alive.key()).alive();
        yield ByteString.of(new byte[0]);
      }
      case Close close -> {
        close(close.key());
        yield ByteString.of(new byte[0]);
      }
    };
  }

  private static ByteString answerOf(Control.Answer answer) throws IOException {
    try {
      return ControlCodec.toBytes(answer);
    } catch (IOException notSerializable) {
      if (answer.failure() == null) {
        throw notSerializable;
      }
      RuntimeException text = new RuntimeException(answer.failure().toString());
      text.setStackTrace(answer.failure().getStackTrace());
      return ControlCodec.toBytes(
          new Control.Answer(
              answer.attempts(), answer.notServed(), answer.unreachable(), text, answer.stats()));
    }
  }

  private NodeTask task(TaskKey key) {
    NodeTask task = tasks.get(key);
    if (task == null) {
      throw new NoSuchTaskException(
          "no such task on this node: task=%s, node=%s"
              .formatted(key.task(), calls.names().ofSelf()));
    }
    return task;
  }

  /**
   * Takes part in a task.
   *
   * @param trace the task's place in a trace, or null
   */
  void open(NodeId starter, TaskKey key, TaskSpec spec, @Nullable CallTrace trace) {
    if (tasks.size() >= TASKS_MAX) {
      throw new RetryableGridException(
          "too many map/reduces at a time: node=%s, max=%d; try again later"
              .formatted(calls.names().ofSelf(), TASKS_MAX));
    }
    beginSweep();
    MapSource<?, ?> source = source(spec.cache());
    if (spec.mapper() instanceof BytesMapper && !source.isBytes()) {
      throw new InvalidRequestException(
          "cache keeps objects, so there are no bytes to map: cache=%s; use a Mapper"
              .formatted(spec.cache()));
    }
    NodeTask.Surroundings around =
        new NodeTask.Surroundings(
            starter, calls, env.nanoClock(), pool, workers, memoryMax(spec), pairCache(key, spec));
    tasks.put(key, new NodeTask(key, spec, source, around));
    if (trace != null) {
      traced.put(key, new TracedTask(trace, spec.cache(), env.nanoClock().nanoTime()));
    }
    if (isClosed) {
      close(key);
      throw new RetryableGridException("node is closing: node=" + calls.names().ofSelf());
    }
  }

  private @Nullable PairCache pairCache(TaskKey key, TaskSpec spec) {
    String pairs = spec.pairsCache();
    if (pairs == null) {
      return null;
    }
    MapSource<?, ?> chosen = source(pairs);
    CacheEngine<BinaryKey, Bytes> engine = PairCache.chosen(source(spec.cache()), chosen, pairs);
    return new PairCache(key.task(), engine, env.nanoClock());
  }

  /**
   * Refuses a task with an unsuitable cache for pairs.
   *
   * @throws InvalidRequestException with the reason
   */
  void checkPairs(TaskSpec spec) {
    String pairs = spec.pairsCache();
    if (pairs != null) {
      CacheEngine<BinaryKey, Bytes> _ =
          PairCache.chosen(source(spec.cache()), sources.apply(pairs), pairs);
    }
  }

  /**
   * Removes the remaining pairs of a task. Blocks.
   *
   * @param isSure whether all nodes have confirmed that they ended it
   */
  void clean(UUID task, String cache, boolean isSure) {
    beginSweep();
    cleaning.ended(task, cache, isSure);
  }

  /** A quarter of the free heap, shared with other tasks. */
  private long memoryMax(TaskSpec spec) {
    if (spec.memoryMaxBytes() > 0) {
      return spec.memoryMaxBytes();
    }
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    long free = runtime.maxMemory() - used;
    return Math.max(MEMORY_MIN_BYTES, free / 4 / (tasks.size() + 1));
  }

  private void close(TaskKey key) {
    NodeTask task = tasks.remove(key);
    if (task != null) {
      task.close();
    }
    TracedTask ended = traced.remove(key);
    if (ended != null) {
      long took = env.nanoClock().nanoTime() - ended.beganNanos;
      String node = calls.names().ofSelf();
      calls.report(new CallTraces.Part(ended.trace, "mapReduce", ended.cache, node, took, null));
    }
  }

  private ByteString data(NodeId from, ByteString message) {
    byte[] parts = message.toByteArray();
    for (int at = 0; at < parts.length; ) {
      DataHead head = DataHead.read(parts, at);
      int end = at + DataHead.BYTES + head.length();
      byte[] part = end - at == parts.length ? parts : Arrays.copyOfRange(parts, at, end);
      task(head.key()).partitions().add(head, part);
      at = end;
    }
    return ByteString.of(new byte[0]);
  }

  // ---- tasks of dead nodes

  private synchronized void beginSweep() {
    if (sweep == null && !isClosed) {
      sweep = env.scheduler().every(HEARTBEAT_MILLIS, this::sweep);
    }
  }

  private void sweep() {
    tasks.forEach((key, task) -> {
      if (task.idleNanos() > SILENCE_NANOS) {
        log.log(
            Level.INFO,
            "map/reduce forgotten, since its node is silent: task={0}, cache={1}",
            key.task(),
            task.spec().cache());
        String pairs = task.spec().pairsCache();
        if (pairs != null) {
          cleaning.forgotten(key.task(), pairs, task.starter());
        }
        env.scheduler().execute(() -> close(key));
      }
    });
    if (cleaning.hasLeft()) {
      env.scheduler().execute(cleaning::sweep);
    }
  }

  /** Ends all tasks. Closing twice is harmless. */
  @Override
  public void close() {
    isClosed = true;
    jobs.keySet().forEach(Job::cancel);
    tasks.keySet().forEach(this::close);
    pool.shutdownNow();
    synchronized (this) {
      if (sweep != null) {
        sweep.close();
      }
    }
  }
}
