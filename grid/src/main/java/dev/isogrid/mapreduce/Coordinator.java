package dev.isogrid.mapreduce;

import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.mapreduce.Control.Alive;
import dev.isogrid.mapreduce.Control.Answer;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Close;
import dev.isogrid.mapreduce.Control.Open;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.topology.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Has a task done, for the node that started it. For one thread, but for what says otherwise. */
final class Coordinator {
  /*
   * The keys of the pairs are cut into partitions, each of which one node reduces. A round brings
   * the pairs of all segments to some partitions, all of them in the first one:
   *
   * 1. Segments are assigned to their primaries. A node maps some at a time, which is an attempt:
   *    its pairs go to the nodes of their partitions under its number, and wait there.
   * 2. When a node has mapped the segments of an attempt, has answered for each all the time
   *    (CacheEngine.hasServed), and all pairs were taken, it says that the attempt is done. Then,
   *    here and nowhere else, it is decided that the attempt counts; each segment counts once in a
   *    round. Those who reduce are told so, some on the way, all when the result is asked for.
   * 3. All else is an attempt that does not count, and its pairs are dropped: those of a node that
   *    failed, and those of a segment that moved. Its segments are assigned anew.
   * 4. A node that reduces and fails takes its partitions with it. What is left of the round goes
   *    on without them; the next round brings all pairs to these partitions only, on other nodes.
   *    Nodes have kept what they sent (SentPairs), and send it again as an attempt of that round,
   *    with the segments of the attempt that mapped it; the rest is mapped again.
   *
   * So of each partition, the pairs are those of one attempt for each segment: exact, whatever
   * fails but the node that started the task. That costs, for a node that fails, its segments of
   * the last second for all, and all of its segments for what it was to reduce.
   *
   * Nodes are asked again and again; an answer comes when there is something to tell, or after a
   * tenth of a second. A node that does not answer is given up; if it is a primary later, it
   * takes part under a new number.
   */

  /** A node that does not answer for so long is given up. */
  private static final long CALL_MILLIS = 10_000;

  /** An answer takes a tenth of a second, unless the node is gone or has very much to do. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often nodes that reduce are asked whether they are alive. */
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * After so long it is asked for a part once more, in case the question or the answer was lost; a
   * reducer may take its time, as long as its node is alive.
   */
  private static final long PART_MILLIS = 30_000;

  /** How long a node may take to begin; all else waits for it. */
  private static final long OPEN_MILLIS = 1_000;

  private static final long PING_MILLIS = 3_000;
  private static final long TICK_MILLIS = 20;
  private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long segments may be without a node that answers for them, while nothing else goes on. */
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** When nobody missed a node for so long, it is another matter when somebody does. */
  private static final long MISSED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long the nodes keep pairs for a result that nobody has asked for. */
  private static final long WANTED_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final long CLOSE_MILLIS = 5_000;
  private static final int PARTITIONS_MAX = 64;
  private static final int PARTITIONS_PER_NODE_MIN = 2;
  private static final int ROUNDS_MAX = 30;

  /** Partitions of which a part is on its way to here. */
  private static final int PARTS_MAX = 8;

  private final NodeCalls calls;
  private final NanoClock clock;
  private final MapReduceService service;
  private final Plan plan;
  private final CacheEngine<?, ?> engine;
  private final UUID id = UUID.randomUUID();
  private final long beginNanos;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** Those that take part, and all that ever did, by their numbers; read by any thread. */
  private final Map<NodeId, Participant> participants = new ConcurrentHashMap<>();

  private final Map<Integer, Participant> all = new ConcurrentSkipListMap<>();
  private int lastNumber;
  private int partitionCount;
  private int rounds;
  private long toldNanos;
  private long movedNanos;
  private long missedNanos;
  private long lookedNanos;
  private final Losses losses = new Losses();

  /** For the stats; written by this thread. */
  private final AtomicInteger segmentsDone = new AtomicInteger();

  private final AtomicInteger segmentsTotal = new AtomicInteger();
  private final AtomicInteger segmentsRepeated = new AtomicInteger();
  private final AtomicInteger partitionsLost = new AtomicInteger();
  private volatile long mapNanos;
  private volatile long endNanos;
  private volatile boolean isEnded;

  /** Written by any thread. */
  private volatile boolean isCancelled;

  /**
   * What is to be done.
   *
   * @param timeoutMillis 0 for any time
   */
  record Plan(
      TaskSpec spec,
      List<Integer> segments,
      long timeoutMillis,
      boolean isReducedHere,
      Consumer<? super MapReduceStats> progress) {}

  /** A node answered to a step, or it did not, or a part of a partition came. */
  private record Event(
      Participant from, int partition, @Nullable ByteString answer, @Nullable Throwable failure) {}

  Coordinator(MapReduceService service, CacheEngine<?, ?> engine, Plan plan) {
    this.service = service;
    this.calls = service.calls();
    this.clock = service.env().nanoClock();
    this.engine = engine;
    this.plan = plan;
    this.beginNanos = clock.nanoTime();
    segmentsTotal.set(plan.segments.size());
    this.movedNanos = beginNanos;
    this.missedNanos = beginNanos;
  }

  /** Tells the task from all others. */
  UUID id() {
    return id;
  }

  String cacheName() {
    return plan.spec.cache();
  }

  /** Any thread. */
  void cancel() {
    isCancelled = true;
  }

  /** Tells the nodes that somebody wants the result. Any thread; does not block. */
  void heartbeat() {
    for (Participant each : participants.values()) {
      CompletableFuture<ByteString> _ = call(each, new Alive(each.key), CALL_MILLIS);
    }
  }

  /**
   * Does it all.
   *
   * @param sink completed with who takes the result
   */
  void run(CompletableFuture<ResultSink> sink) throws InterruptedException {
    RoundState state = null;
    while (state == null || !state.lost.isEmpty()) {
      long begin = clock.nanoTime();
      boolean isFirst = state == null;
      state = beginRound(state);
      mapAll(state);
      mapNanos = clock.nanoTime() - beginNanos;
      Set<Integer> lost = deliver(state, await(sink));
      partitionsLost.addAndGet(lost.size());
      if (!isFirst) {
        losses.round(clock.nanoTime() - begin);
      }
    }
    askForStats();
    endNanos = clock.nanoTime();
    isEnded = true;
    plan.progress.accept(stats());
  }

  private ResultSink await(CompletableFuture<ResultSink> sink) throws InterruptedException {
    long begin = clock.nanoTime();
    while (true) {
      try {
        return sink.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException notYet) {
        check();
        if (clock.nanoTime() - begin > WANTED_NANOS) {
          throw new MapReduceException(
              "map/reduce ended, since nobody asked for its result: cache=" + plan.spec.cache(),
              null);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void check() {
    if (isCancelled) {
      throw new MapReduceException("map/reduce cancelled: cache=" + plan.spec.cache(), null);
    }
    long now = clock.nanoTime();
    long waited = TimeUnit.NANOSECONDS.toMillis(now - beginNanos);
    if (plan.timeoutMillis > 0 && waited >= plan.timeoutMillis) {
      throw new MapReduceException(
          "map/reduce took too long: cache=%s, timeout=%d ms, segments done=%d of %d"
              .formatted(
                  plan.spec.cache(), plan.timeoutMillis, segmentsDone.get(), segmentsTotal.get()),
          null);
    }
    if (now - toldNanos >= PROGRESS_NANOS) {
      toldNanos = now;
      plan.progress.accept(stats());
    }
  }

  // ---- rounds

  /** Begins a round for the partitions that an earlier one lost, or the first, for all. */
  private RoundState beginRound(@Nullable RoundState earlier) throws InterruptedException {
    if (++rounds > ROUNDS_MAX) {
      throw new RetryableGridException(
          "map/reduce gave up: cache=%s, rounds=%d; nodes that reduce fail again and again"
              .formatted(plan.spec.cache(), ROUNDS_MAX));
    }
    List<Participant> reducers = reducers();
    if (earlier == null) {
      int perNode = Math.max(PARTITIONS_PER_NODE_MIN, Runtime.getRuntime().availableProcessors());
      partitionCount = Math.min(PARTITIONS_MAX, reducers.size() * perNode);
    }
    int[] nodes = new int[partitionCount];
    Arrays.fill(nodes, -1);
    int next = 0;
    for (int partition = 0; partition < partitionCount; partition++) {
      if (earlier == null || earlier.lost.contains(partition)) {
        nodes[partition] = reducers.get(next++ % reducers.size()).key.number();
      }
    }
    long[] ids = new long[2 * (lastNumber + 1)];
    all.forEach((number, each) -> {
      ids[2 * number] = each.id.high();
      ids[2 * number + 1] = each.id.low();
    });
    participants.values().forEach(Participant::forgetRound);
    RoundState state = new RoundState(new Round(rounds, nodes, ids), plan.segments);
    if (earlier != null) {
      state.sendAgain(earlier, participants.values());
      segmentsTotal.addAndGet(state.pending.size());
      segmentsRepeated.addAndGet(state.pending.size());
    }
    return state;
  }

  /** The nodes that reduce: those that map, as far as they take part. */
  private List<Participant> reducers() throws InterruptedException {
    while (true) {
      check();
      Set<NodeId> wanted = new TreeSet<>();
      if (plan.isReducedHere || plan.segments.isEmpty()) {
        wanted.add(calls.self());
      } else {
        for (int segment : plan.segments) {
          NodeId primary = primary(segment);
          if (primary != null) {
            wanted.add(primary);
          }
        }
      }
      open(wanted);
      List<Participant> taking = new ArrayList<>(participants.values());
      taking.removeIf(each -> !wanted.contains(each.id));
      if (!taking.isEmpty()) {
        return taking;
      }
      checkStalled("no node");
      Event _ = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private @Nullable NodeId primary(int segment) {
    engine.checkOpen();
    return engine.isClustered() ? engine.primary(segment) : calls.self();
  }

  /** Some segments have no node that answers for them; fails if that goes on for too long. */
  private void checkStalled(String what) {
    long now = clock.nanoTime();
    if (now - missedNanos > MISSED_NANOS) {
      movedNanos = now;
    }
    missedNanos = now;
    if (now - movedNanos > STALLED_NANOS) {
      throw new RetryableGridException(
          "map/reduce can't go on: cache=%s, %s answers for its segments; try again later"
              .formatted(plan.spec.cache(), what));
    }
  }

  /** Lets nodes take part; those that don't answer are left out. */
  private void open(Set<NodeId> nodes) throws InterruptedException {
    Map<Participant, CompletableFuture<ByteString>> opened = new HashMap<>();
    for (NodeId node : nodes) {
      if (participants.containsKey(node)) {
        continue;
      }
      Participant added = new Participant(node, new TaskKey(id, ++lastNumber), clock.nanoTime());
      if (node.equals(calls.self())) {
        service.open(calls.self(), added.key, plan.spec);
        join(added);
      } else {
        opened.put(added, call(added, new Open(added.key, plan.spec), OPEN_MILLIS));
      }
    }
    for (Map.Entry<Participant, CompletableFuture<ByteString>> each : opened.entrySet()) {
      try {
        each.getValue().get();
        join(each.getKey());
      } catch (ExecutionException e) {
        failUnlessTransient(each.getKey(), e.getCause());
        CompletableFuture<ByteString> _ =
            call(each.getKey(), new Close(each.getKey().key), CLOSE_MILLIS);
      }
    }
  }

  private void join(Participant added) {
    all.put(added.key.number(), added);
    participants.put(added.id, added);
  }

  private void failUnlessTransient(Participant at, @Nullable Throwable failure) {
    if (failure instanceof NodeCallException call) {
      if (call.reason() != NodeCallException.Reason.FAILED
          || call.getCause() instanceof NoSuchTaskException
          || call.getCause() instanceof RetryableGridException) {
        return;
      }
      throw failed(at, call.getCause());
    }
    throw failed(at, failure);
  }

  private GridException failed(Participant at, @Nullable Throwable why) {
    if (why instanceof GridException known && !(why instanceof InvalidRequestException)) {
      return known;
    }
    String text = String.valueOf(why);
    Throwable cause = why;
    if (why instanceof UserFailure || why instanceof PairCacheException) {
      text = String.valueOf(why.getMessage());
      cause = why.getCause() == null ? why : why.getCause();
    }
    return new MapReduceException(
        "map/reduce failed: cache=%s, node=%s, %s".formatted(plan.spec.cache(), at.id, text),
        cause);
  }

  private CompletableFuture<ByteString> call(Participant to, Control what, long timeoutMillis) {
    try {
      return calls.call(to.id, MapReduceService.CONTROL, ControlCodec.toBytes(what), timeoutMillis);
    } catch (IOException notSerializable) {
      throw new InvalidRequestException(
          ("function of a map/reduce can't be serialised: %s; it captures something that is not"
                  + " Serializable")
              .formatted(notSerializable));
    }
  }

  // ---- mapping

  private void mapAll(RoundState state) throws InterruptedException {
    while (state.done.size() < plan.segments.size()) {
      check();
      assign(state);
      for (Participant each : participants.values()) {
        ask(state, each);
      }
      Event event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      for (; event != null; event = events.poll()) {
        onEvent(state, event);
      }
      giveUpSilent(state);
    }
  }

  /** Gives nodes up that are late with an answer and have no part in the cache any more. */
  private void giveUpSilent(RoundState state) {
    long now = clock.nanoTime();
    for (Participant each : List.copyOf(participants.values())) {
      boolean isLate = each.asked != null && now - each.askedNanos > LATE_NANOS;
      if (isLate && plan.segments.stream().noneMatch(s -> each.id.equals(primary(s)))) {
        giveUp(state, each, "it has no part in the cache any more");
      }
    }
  }

  private void assign(RoundState state) throws InterruptedException {
    long now = clock.nanoTime();
    if (state.isStuck) {
      losses.unowned(now - lookedNanos);
    }
    lookedNanos = now;
    state.isStuck = false;
    if (state.pending.isEmpty()) {
      return;
    }
    Map<NodeId, List<Integer>> byNode = new TreeMap<>();
    for (int segment : state.pending) {
      NodeId primary = primary(segment);
      if (primary != null) {
        byNode.computeIfAbsent(primary, _ -> new ArrayList<>()).add(segment);
      }
    }
    open(byNode.keySet());
    int found = byNode.values().stream().mapToInt(List::size).sum();
    state.isStuck =
        found < state.pending.size() || !participants.keySet().containsAll(byNode.keySet());
    if (state.isStuck) {
      checkStalled("nobody");
    }
    byNode.forEach((node, segments) -> {
      Participant to = participants.get(node);
      if (to != null && to.asked == null) {
        to.assigned.addAll(segments);
        to.toAssign.addAll(segments);
        segments.forEach(state.pending::remove);
      }
    });
  }

  private void ask(RoundState state, Participant to) {
    if (to.wasBusy || (to.asked == null && to.needsStep(clock.nanoTime()))) {
      Control.Step step = to.asked != null ? to.asked : to.nextStep(state.round);
      to.asked = step;
      to.askedNanos = clock.nanoTime();
      to.wasBusy = false;
      call(to, step, CALL_MILLIS)
          .whenComplete((answer, failure) -> events.add(new Event(to, -1, answer, failure)));
    }
  }

  private void onEvent(RoundState state, Event event) {
    Participant from = event.from;
    if (participants.get(from.id) != from) {
      return; // given up meanwhile
    }
    if (event.answer != null) {
      from.asked = null;
      onAnswer(state, from, answer(event.answer));
    } else if (isBusy(event.failure)) {
      from.wasBusy = true;
      losses.busy();
    } else {
      failUnlessTransient(from, event.failure);
      giveUp(state, from, String.valueOf(event.failure));
    }
  }

  private static boolean isBusy(@Nullable Throwable failure) {
    return failure instanceof NodeCallException call
        && call.reason() == NodeCallException.Reason.BUSY;
  }

  private static Answer answer(ByteString bytes) {
    try {
      return ControlCodec.answer(bytes);
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("answer can't be read", e);
    }
  }

  private void onAnswer(RoundState state, Participant from, Answer answer) {
    from.stats = answer.stats();
    if (answer.failure() != null) {
      throw failed(from, answer.failure());
    }
    for (Attempt attempt : answer.attempts()) {
      if (attempt.round() == state.round.number()) {
        onAttempt(state, from, attempt);
      }
    }
    if (answer.notServed().length > 0) {
      checkStalled("nobody");
    }
    for (int segment : answer.notServed()) {
      if (from.assigned.remove(segment)) {
        state.pending.add(segment);
      }
    }
    for (int partition : answer.unreachable()) {
      lose(state, partition);
    }
  }

  private void onAttempt(RoundState state, Participant from, Attempt attempt) {
    List<Integer> segments = Arrays.stream(attempt.segments()).boxed().toList();
    boolean counts = attempt.isDone() && from.assigned.containsAll(segments);
    for (Participant each : participants.values()) {
      (counts ? each.counting : each.dropped).add(attempt.number());
    }
    List<Integer> its = segments.stream().filter(from.assigned::remove).toList();
    if (counts) {
      movedNanos = clock.nanoTime();
      state.done.addAll(its);
      state.counted.add(new RoundState.Counted(attempt.number(), from, attempt.origin(), its));
      if (attempt.isAgain()) {
        losses.sentAgain();
      } else {
        int more = state.notSentAgain(its);
        segmentsTotal.addAndGet(more);
        segmentsRepeated.addAndGet(more);
        segmentsDone.addAndGet(its.size());
      }
    } else {
      losses.moved(its.size());
      mapAgain(state, its); // others count already, or are another node's now
    }
  }

  /** Has segments mapped that a node did not bring to their end. */
  private void mapAgain(RoundState state, Collection<Integer> segments) {
    state.pending.addAll(segments);
    segmentsTotal.addAndGet(state.notSentAgain(segments));
    segmentsRepeated.addAndGet(segments.size());
  }

  private void lose(RoundState state, int partition) {
    if (!state.handedOver.contains(partition) && state.lost.add(partition)) {
      participants.values().forEach(each -> each.lost.add(partition));
    }
  }

  /** Goes on without a node. */
  private void giveUp(RoundState state, Participant gone, String why) {
    participants.remove(gone.id);
    CompletableFuture<ByteString> _ = call(gone, new Close(gone.key), CLOSE_MILLIS);
    int[] nodes = state.round.partitionNodes();
    int partitions = 0;
    for (int partition = 0; partition < nodes.length; partition++) {
      if (nodes[partition] == gone.key.number()) {
        lose(state, partition);
        partitions++;
      }
    }
    losses.node(gone, gone.asked == null ? 0 : clock.nanoTime() - gone.askedNanos, partitions, why);
    mapAgain(state, gone.assigned);
    gone.assigned.clear();
  }

  // ---- results

  /** Hands the result of a round over; gives the partitions that were lost. */
  private Set<Integer> deliver(RoundState state, ResultSink sink) throws InterruptedException {
    int[] nodes = state.round.partitionNodes();
    Set<Integer> open = new HashSet<>();
    int next = 0;
    long pingedNanos = clock.nanoTime();
    while (next < nodes.length || !open.isEmpty()) {
      check();
      for (; open.size() < PARTS_MAX && next < nodes.length; next++) {
        if (nodes[next] >= 0 && !state.lost.contains(next)) {
          open.add(next);
          askForPart(state, next);
        }
      }
      if (clock.nanoTime() - pingedNanos > PING_NANOS) {
        pingedNanos = clock.nanoTime();
        participants.values().forEach(this::ping);
      }
      Event event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      if (event == null) {
        continue;
      }
      if (event.partition < 0) {
        onEvent(state, event);
      } else if (open.contains(event.partition)) {
        onPart(state, sink, open, event);
      }
      open.removeIf(partition -> isLost(state, sink, partition));
    }
    return state.lost;
  }

  private static boolean isLost(RoundState state, ResultSink sink, int partition) {
    boolean isLost = state.lost.contains(partition);
    if (isLost) {
      sink.restart(partition);
    }
    return isLost;
  }

  private void onPart(RoundState state, ResultSink sink, Set<Integer> open, Event event) {
    if (event.answer != null) {
      if (take(sink, event.partition, event.answer)) {
        open.remove(event.partition);
        state.handedOver.add(event.partition);
      } else {
        state.parts[event.partition]++;
        askForPart(state, event.partition);
      }
    } else if (isBusy(event.failure)) {
      losses.busy();
      askForPart(state, event.partition);
    } else if (isLate(state, event)) {
      losses.late();
      askForPart(state, event.partition);
    } else {
      failUnlessTransient(event.from, event.failure);
      giveUp(state, event.from, String.valueOf(event.failure));
    }
  }

  /** Finds out whether a node is there that has no other call to answer soon. */
  private void ping(Participant node) {
    call(node, new Alive(node.key), PING_MILLIS)
        .whenComplete((answer, failure) -> {
          if (failure != null && !isBusy(failure)) { // busy is alive
            events.add(new Event(node, -1, null, failure));
          }
        });
  }

  /** Whether a part did not come in time from a node that is there, as far as is known. */
  private boolean isLate(RoundState state, Event event) {
    long waited = clock.nanoTime() - state.askedNanos[event.partition];
    return event.failure instanceof NodeCallException call
        && call.reason() == NodeCallException.Reason.NO_ANSWER
        && waited >= LATE_NANOS
        && participants.get(event.from.id) == event.from;
  }

  private void askForPart(RoundState state, int partition) {
    Participant from = Objects.requireNonNull(all.get(state.round.partitionNodes()[partition]));
    int index = state.parts[partition];
    long[] counting = index == 0 ? state.counting() : new long[0];
    state.askedNanos[partition] = clock.nanoTime();
    Control.Part part =
        new Control.Part(from.key, state.round.number(), partition, index, counting);
    call(from, part, PART_MILLIS)
        .whenComplete((answer, failure) -> events.add(new Event(from, partition, answer, failure)));
  }

  /** Hands a part over; whether it is the last one. */
  private static boolean take(ResultSink sink, int partition, ByteString part) {
    byte[] bytes = part.toByteArray();
    RunCursor pairs = RunCursor.ofMemory(bytes, 1, bytes.length);
    while (pairs.next()) {
      Object key = PairCodec.read(bytes, pairs.keyOffset(), pairs.keyLength());
      sink.accept(partition, key, pairs.value());
    }
    boolean isLast = bytes[0] == 1;
    if (isLast) {
      sink.complete(partition);
    }
    return isLast;
  }

  // ---- the end

  private void askForStats() throws InterruptedException {
    Round nothing = new Round(rounds, new int[0], new long[0]);
    Map<Participant, CompletableFuture<ByteString>> answers = new HashMap<>();
    for (Participant each : participants.values()) {
      each.forgetRound();
      answers.put(each, call(each, each.nextStep(nothing), CLOSE_MILLIS));
    }
    for (Map.Entry<Participant, CompletableFuture<ByteString>> each : answers.entrySet()) {
      try {
        each.getKey().stats = answer(each.getValue().get()).stats();
      } catch (ExecutionException notTold) {
        failUnlessTransient(each.getKey(), notTold.getCause());
      }
    }
  }

  /** Ends it on all nodes; waits for them, a few seconds at most. */
  void close() {
    isEnded = true;
    if (endNanos == 0) {
      endNanos = clock.nanoTime();
    }
    String pairs = plan.spec.pairsCache();
    List<CompletableFuture<ByteString>> answers = new ArrayList<>();
    (pairs == null ? participants.values() : all.values())
        .forEach(each -> answers.add(call(each, new Close(each.key), CLOSE_MILLIS)));
    CompletableFuture<?>[] closed =
        answers.stream()
            .map(answer -> answer.exceptionally(_ -> ByteString.of(new byte[0])))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(closed).join();
    if (pairs != null) {
      boolean isSure = answers.stream().noneMatch(CompletableFuture::isCompletedExceptionally);
      service.clean(id, pairs, isSure);
    }
  }

  /** Any thread. */
  MapReduceStats stats() {
    List<MapReduceNodeStats> nodes = new ArrayList<>();
    for (Participant each : all.values()) {
      MapReduceNodeStats known = each.stats;
      if (known != null) {
        nodes.add(known);
      }
    }
    long elapsed = (isEnded ? endNanos : clock.nanoTime()) - beginNanos;
    long mapping = mapNanos == 0 ? elapsed : mapNanos;
    return new MapReduceStats(
        segmentsDone.get(),
        segmentsTotal.get(),
        segmentsRepeated.get(),
        partitionsLost.get(),
        TimeUnit.NANOSECONDS.toMillis(mapping),
        TimeUnit.NANOSECONDS.toMillis(elapsed - mapping),
        nodes,
        losses.texts());
  }
}
