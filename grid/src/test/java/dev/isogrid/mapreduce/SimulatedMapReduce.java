package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Collector;
import dev.isogrid.api.GridException;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceReport.State;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.base.Env;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.engine.FaultyCalls;
import dev.isogrid.engine.MovingSegments;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.mapreduce.Control.Alive;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import dev.isogrid.wire.Segments;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One map/reduce on some nodes of this process, while segments move, nodes die and messages are
 * late or lost: all drawn from one generator, as are the entries and the task.
 *
 * <p>The scheduling of the nodes' threads does not come from it; so a failed seed may need several
 * runs to fail again. Time is real, except for mapping threads: each reading of the clock takes
 * them up to a second, so that attempts are short.
 */
final class SimulatedMapReduce implements AutoCloseable {
  private static final int NODES_MAX = 5;

  /** The largest number of a node in a task; more were never seen. */
  private static final int NUMBERS_MAX = 100;

  /** The factor by which time is slower for the coordinator than for mapping threads. */
  private static final int JOB_PATIENCE = 10;

  /** Makes some words take more than one part of a result. */
  private static final int PADDING = 30_000;

  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(61);
  private static final long SWEEP_MILLIS = 10_000;
  private static final long DIES_MICROS_MAX = 30_000;
  private static final long TOLD_MICROS_MAX = 10_000;

  private final Random random;
  private final FakeEnv world = new FakeEnv();
  private final AtomicLong idleNanos = new AtomicLong();
  private final AtomicLong steps = new AtomicLong();
  private final FaultyCalls network;
  private final MovingSegments cache;
  private final List<NodeId> nodes = new ArrayList<>();
  private final List<NodeCalls> calls = new ArrayList<>();
  private final List<MapReduceService> services = new ArrayList<>();
  private final Map<Object, Object> entries = new HashMap<>();
  private final Segments segments;
  private final int padding;
  private final boolean starterDies;

  private volatile @Nullable MapReduceJob<String, Long> job;

  /** The events by the number of steps before them; guarded by itself. */
  private final ArrayDeque<Event> script = new ArrayDeque<>();

  /** The events after the end of mapping; for the thread that delivers messages. */
  private final List<Runnable> lateDeaths = new ArrayList<>();

  private record Event(long atStep, Runnable work) {}

  /** Draws the nodes, the entries and the events. */
  SimulatedMapReduce(Random random) {
    this.random = random;
    int count = 2 + random.nextInt(NODES_MAX - 1);
    int segmentCount = 4 + random.nextInt(40);
    this.segments = new Segments(segmentCount);
    boolean isLarge = random.nextInt(6) == 0;
    this.padding = isLarge ? PADDING : 0;
    this.starterDies = random.nextInt(10) == 0;
    int entryCount = random.nextInt(isLarge ? 100 : 400);
    int distinct = 1 + random.nextInt(500);
    for (int i = 0; i < entryCount; i++) {
      entries.put(i, WordCount.text(random, 1 + random.nextInt(10), distinct));
    }
    FaultyCalls.Odds odds =
        switch (isLarge ? -1 : random.nextInt(4)) {
          case -1 -> new FaultyCalls.Odds(0.1, 0.03, 0, 0.03);
          case 0 -> new FaultyCalls.Odds(0.1, 0, 0, 0);
          case 1 -> new FaultyCalls.Odds(0.3, 0.002, 0, 0.3);
          default -> new FaultyCalls.Odds(0.1, 0.004, 0.002, 0.03);
        };
    this.network = new FaultyCalls(random.nextLong(), odds, (_, _) -> onMessage());
    for (int i = 0; i < count; i++) {
      nodes.add(new NodeId(0, i + 1));
    }
    this.cache =
        new MovingSegments(
            nodes, segmentCount, 1 + random.nextInt(count), entries, world.env(), this::onStep);
    long hasteNanos = random.nextBoolean() ? 0 : random.nextLong(TimeUnit.SECONDS.toNanos(1));
    for (int i = 0; i < count; i++) {
      calls.add(network.add(nodes.get(i)));
      MapSource<Object, Object> source =
          new MapSource<>(cache.engine(i), key -> key, ObjectTables::hash, k -> k, v -> v, false);
      services.add(new MapReduceService(calls.get(i), env(hasteNanos), _ -> source));
    }
    write(entryCount);
  }

  private Env env(long hasteNanos) {
    AtomicLong hasty = new AtomicLong();
    Env env = world.env();
    return new Env(
        () ->
            switch (Thread.currentThread().getName()) {
              case "isogrid-mapreduce-job" -> hasty.addAndGet(hasteNanos / JOB_PATIENCE);
              case String name when name.startsWith("isogrid-mapreduce-") ->
                  hasty.addAndGet(hasteNanos);
              default -> System.nanoTime() + idleNanos.get();
            },
        env.epochClock(),
        new SplittableRandom(random.nextLong()),
        env.scheduler());
  }

  // ---- what happens

  private void write(int entryCount) {
    long stepsMax = 50 + 2L * entryCount + 4L * segments.count();
    List<Event> events = new ArrayList<>();
    int moves = random.nextInt(12);
    for (int i = 0; i < moves; i++) {
      int segment = random.nextInt(segments.count());
      int to = random.nextInt(nodes.size());
      boolean isBack = random.nextInt(3) == 0;
      long toldMicros = random.nextLong(TOLD_MICROS_MAX);
      events.add(new Event(random.nextLong(stepsMax), () -> move(segment, to, isBack, toldMicros)));
    }
    int deaths = starterDies ? 0 : random.nextInt(Math.min(3, nodes.size()));
    for (int i = 0; i < deaths; i++) {
      int node = nodes.size() - 1 - i;
      boolean isLate = random.nextBoolean();
      long[] micros = random.longs(nodes.size() + 1, 0, DIES_MICROS_MAX).toArray();
      long heirs = random.nextLong();
      long step = random.nextLong(stepsMax);
      if (isLate) {
        lateDeaths.add(() -> network.later(step, () -> die(node, micros, heirs)));
      } else {
        events.add(new Event(step, () -> die(node, micros, heirs)));
      }
    }
    events.sort(Comparator.comparingLong(Event::atStep));
    script.addAll(events);
  }

  private void onStep() {
    long step = steps.incrementAndGet();
    synchronized (script) {
      while (!script.isEmpty() && script.peek().atStep <= step) {
        script.remove().work.run();
      }
    }
  }

  private FaultyCalls.Fate onMessage() {
    network.later(
        0,
        () -> {
          onStep();
          MapReduceJob<String, Long> running = job;
          if (!lateDeaths.isEmpty() && running != null && WordCount.isMapped(running)) {
            lateDeaths.forEach(Runnable::run);
            lateDeaths.clear();
          }
        });
    return FaultyCalls.Fate.USUAL;
  }

  private void move(int segment, int to, boolean isBack, long toldMicros) {
    int from = cache.primary(segment);
    if (from < 0 || isDead(to)) {
      return;
    }
    cache.move(segment, to);
    if (isBack) {
      cache.move(segment, from);
    }
    network.later(
        toldMicros,
        () -> {
          for (int node = 0; node < nodes.size(); node++) {
            cache.tell(node);
          }
        });
  }

  private boolean isDead(int node) {
    return network.isDead(nodes.get(node));
  }

  private int firstAlive() {
    return isDead(0) ? 1 : 0;
  }

  private void die(int node, long[] micros, long heirs) {
    network.kill(nodes.get(node));
    List<Integer> left = new ArrayList<>();
    for (int segment = 0; segment < segments.count(); segment++) {
      if (cache.primary(segment) == node) {
        cache.move(segment, -1);
        left.add(segment);
      }
    }
    network.later(micros[nodes.size()], () -> inherit(left, new Random(heirs)));
    for (int other = 0; other < nodes.size(); other++) {
      int told = other;
      network.later(
          micros[other],
          () -> {
            if (told != node) {
              network.tellGone(nodes.get(told), nodes.get(node));
            }
            cache.tell(told);
          });
    }
  }

  private void inherit(List<Integer> left, Random choice) {
    for (int segment : left) {
      int heir = choice.nextInt(nodes.size());
      cache.move(segment, isDead(heir) ? firstAlive() : heir);
    }
    for (int node = 0; node < nodes.size(); node++) {
      cache.tell(node);
    }
  }

  // ---- the task

  /**
   * Runs a task and checks its result.
   *
   * @throws dev.isogrid.api.GridException if it fails
   */
  void run() throws Exception {
    WordCount.Words mapper = new WordCount.Words(padding);
    Set<Object> wanted = new HashSet<>(entries.keySet());
    MapReduceTask<String, Long> task = task(mapper, wanted);
    Map<String, Long> expected = new HashMap<>();
    Collector<String, Long> sum = (word, one) -> expected.merge(word, one, Long::sum);
    entries.forEach((key, text) -> {
      if (wanted.contains(key)) {
        mapper.map(key, (String) text, sum);
      }
    });
    boolean isMap = random.nextBoolean();
    MapReduceJob<String, Long> started = task.start();
    job = started;
    if (starterDies) {
      loseStarter(started);
      return;
    }
    try {
      if (isMap) {
        assertEquals(expected, started.resultAsync().orTimeout(120, TimeUnit.SECONDS).join());
      } else {
        Map<String, Long> result = new ConcurrentHashMap<>();
        started.forEach((word, count) -> {
          Long before = result.put(word, count);
          assert before == null || before.equals(count) : word;
        });
        assertEquals(expected, result);
      }
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  /**
   * Kills the node that started the task; the others must notice that the result is not needed any
   * more.
   */
  private void loseStarter(MapReduceJob<String, Long> started) throws Exception {
    int done = random.nextInt(started.stats().segmentsTotal() + 1);
    Await.until(
        "some of it to be mapped",
        () ->
            started.stats().segmentsDone() >= done
                || services.getFirst().reports().getFirst().state() != State.RUNNING);
    die(0, new long[nodes.size() + 1], random.nextLong());
    List<NodeId> others = nodes.subList(1, nodes.size());
    others.forEach(node -> network.tellGone(nodes.getFirst(), node));
    started.cancel();
    assertThrows(GridException.class, started::result);
  }

  /** Its statistics. */
  MapReduceStats stats() {
    return Objects.requireNonNull(job).stats();
  }

  private MapReduceTask<String, Long> task(WordCount.Words mapper, Set<Object> wanted) {
    MapReduceInput<Integer, String> input = MapReduceInput.of(services.getFirst()::start, named());
    switch (random.nextInt(8)) {
      case 0 -> {
        wanted.removeIf(_ -> random.nextInt(10) != 0);
        input = input.onKeys(wanted.stream().map(Integer.class::cast).toList());
      }
      case 1 -> {
        Set<Integer> some = new HashSet<>();
        random.ints(4, 0, segments.count()).forEach(some::add);
        wanted.removeIf(key -> !some.contains(segments.of(ObjectTables.hash(key))));
        input = input.onSegments(some);
      }
      case 2 -> {
        wanted.removeIf(key -> (Integer) key % 3 == 0);
        input = input.filteredBy((key, _) -> key % 3 != 0);
      }
      default -> {
        // all entries
      }
    }
    MapReduceTask<String, Long> task = input.mappedWith(mapper);
    int mode = random.nextInt(3);
    task = mode != 0 ? task.combinedWith(Long::sum) : task;
    task = mode != 1 ? task.reducedWith(WordCount.SUM) : task;
    task = random.nextInt(4) == 0 ? task.reducedHere() : task;
    return random.nextInt(3) == 0 ? task.memoryMax(1 << (10 + random.nextInt(7))) : task;
  }

  @SuppressWarnings("unchecked") // of a cache, a task asks for the name only
  static Cache<Integer, String> named() {
    return (Cache<Integer, String>)
        Proxy.newProxyInstance(
            Cache.class.getClassLoader(), new Class<?>[] {Cache.class}, (_, _, _) -> "moving");
  }

  // ---- the end

  /** Checks that no node knows the task, once all messages have arrived and time has passed. */
  void assertNothingLeft() throws Exception {
    network.calm();
    UUID task = UUID.fromString(services.getFirst().reports().getFirst().id());
    Await.until(
        "nodes to forget the task",
        () -> {
          idleNanos.addAndGet(SILENCE_NANOS);
          world.advance(SWEEP_MILLIS);
          world.runTasks();
          return isForgotten(task);
        });
  }

  private boolean isForgotten(UUID task) throws IOException {
    for (NodeCalls each : calls) {
      for (int number = 1; number <= NUMBERS_MAX; number++) {
        var alive = ControlCodec.toBytes(new Alive(new TaskKey(task, number)));
        Throwable answer =
            each.call(each.self(), MapReduceService.CONTROL, alive, 10_000)
                .handle((_, failure) -> failure)
                .join();
        boolean isUnknown =
            answer instanceof NodeCallException failed
                && failed.getCause() instanceof NoSuchTaskException;
        if (!isUnknown) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void close() {
    services.forEach(MapReduceService::close);
    world.runTasks();
    cache.close();
    network.close();
    assertEquals(0, world.periodicTasks());
  }
}
