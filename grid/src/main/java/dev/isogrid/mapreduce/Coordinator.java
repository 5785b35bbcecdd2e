package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.CallTrace;
import dev.isogrid.mapreduce.Control.Alive;
import dev.isogrid.mapreduce.Control.Answer;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a task on the node that started it. For one thread, except where noted. */
final class Coordinator {
  /*
   * The keys of the pairs are cut into partitions, each of which one node reduces. A round brings
   * the pairs of all segments to some partitions, all of them in the first one:
   *
   * 1. Segments are assigned to their primaries. A node maps some at a time, which is an attempt:
   *    its pairs go to the nodes of their partitions under its number, and wait there.
   * 2. An attempt is done when its node has mapped its segments, has served each of them all the
   *    time (CacheEngine.hasServed), and all pairs were accepted. Then this class, and no other,
   *    decides that the attempt counts; each segment counts once in a round. The reducing nodes
   *    learn that partly on the way, and completely with the request for the result.
   * 3. Any other attempt does not count, and its pairs are dropped: after a failure of its node, or
   *    a move of a segment. Its segments are assigned anew.
   * 4. A node that reduces and fails takes its partitions with it. The rest of the round continues
   *    without them. The next round brings all pairs to these partitions only, on other nodes.
   *    Nodes have kept the sent pairs (SentPairs), and send them again as an attempt of that round,
   *    with the segments of the original attempt. The rest is mapped again.
   *
   * So the pairs of a partition come from one attempt per segment: the result is exact, whatever
   * fails except the node that started the task. The cost of a failed node is its segments of the
   * last second for all partitions, and all of its segments for its own partitions.
   *
   * Nodes are polled; an answer comes when there is news, or after a tenth of a second. A node that
   * does not answer is given up. If it is a primary later, it takes part under a new number.
   */

  /**
   * The time after which an answer is late. An answer takes a tenth of a second, unless the node is
   * gone or has very much to do.
   */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The interval of checks whether reducing nodes are alive. */
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long PING_MILLIS = 3_000;
  private static final long TICK_MILLIS = 20;
  private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The time for which the nodes keep pairs for a result that was not requested. */
  private static final long WANTED_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final int PARTITIONS_MAX = 64;
  private static final int PARTITIONS_PER_NODE_MIN = 2;
  private static final int ROUNDS_MAX = 30;

  private final MapReduceService service;
  private final CacheEngine<?, ?> engine;
  private final NanoClock clock;
  private final Plan plan;
  private final UUID id = UUID.randomUUID();
  private final Participants participants;
  private final TaskCounters counters;
  private final StallWatch stall;

  /** Added by the threads of calls. */
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** Set in the first round, for all rounds. */
  private int partitionCount;

  /** The number of rounds so far. */
  private int rounds;

  /** The times of the last progress report, and of the last check of segments. */
  private long toldNanos;

  private long lookedNanos;

  /** Written by any thread. */
  private volatile boolean isCancelled;

  /**
   * The plan of a task.
   *
   * @param timeoutMillis 0 for any time
   * @param trace the task's place in a trace, or null
   */
  record Plan(
      TaskSpec spec,
      List<Integer> segments,
      long timeoutMillis,
      boolean isReducedHere,
      Consumer<? super MapReduceStats> progress,
      @Nullable CallTrace trace) {}

  /**
   * The end of a call to a node.
   *
   * @param part the requested part; null for a step
   */
  record Event(
      Participant from,
      Control.@Nullable Part part,
      @Nullable ByteString answer,
      @Nullable Throwable failure) {}

  Coordinator(MapReduceService service, CacheEngine<?, ?> engine, Plan plan) {
    this.service = service;
    this.engine = engine;
    this.clock = service.env().nanoClock();
    this.plan = plan;
    this.participants = new Participants(service, clock, id, plan.spec, plan.trace);
    this.counters = new TaskCounters(clock, plan.segments.size());
    this.stall = new StallWatch(clock, plan.spec.cache());
  }

  /** The unique id of the task. */
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

  /** Notifies the nodes that the result is still needed. Any thread; does not block. */
  void heartbeat() {
    participants.heartbeat();
  }

  /**
   * Runs the whole task.
   *
   * @param sink completed with the receiver of the result
   */
  void run(CompletableFuture<ResultSink> sink) throws InterruptedException {
    RoundState state = null;
    while (state == null || !state.lost.isEmpty()) {
      long begin = clock.nanoTime();
      boolean isFirst = state == null;
      state = beginRound(state);
      mapAll(state);
      counters.mapped();
      deliver(state, await(sink));
      counters.partitionsLost.addAndGet(state.lost.size());
      if (!isFirst) {
        counters.losses.round(clock.nanoTime() - begin);
      }
    }
    participants.askForStats(new Round(rounds, new int[0], new long[0]));
    counters.end();
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
              "map/reduce ended, since its result was not requested: cache=" + plan.spec.cache(),
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
    long waited = TimeUnit.NANOSECONDS.toMillis(now - counters.beginNanos);
    if (plan.timeoutMillis > 0 && waited >= plan.timeoutMillis) {
      throw new MapReduceException(
          "map/reduce took too long: cache=%s, timeout=%d ms, segments done=%d of %d"
              .formatted(
                  plan.spec.cache(),
                  plan.timeoutMillis,
                  counters.segmentsDone.get(),
                  counters.segmentsTotal.get()),
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
    participants.present().forEach(Participant::forgetRound);
    Round round = new Round(rounds, nodes, participants.nodes());
    RoundState state = new RoundState(round, plan.segments);
    if (earlier != null) {
      state.sendAgain(earlier, participants.present());
      counters.segmentsTotal.addAndGet(state.pending.size());
      counters.segmentsRepeated.addAndGet(state.pending.size());
    }
    return state;
  }

  /** The nodes that reduce: those that map, as far as they take part. */
  private List<Participant> reducers() throws InterruptedException {
    List<Event> early = new ArrayList<>();
    while (true) {
      check();
      Set<NodeId> wanted = new TreeSet<>();
      if (plan.isReducedHere || plan.segments.isEmpty()) {
        wanted.add(service.calls().self());
      } else {
        for (int segment : plan.segments) {
          NodeId primary = primary(segment);
          if (primary != null) {
            wanted.add(primary);
          }
        }
      }
      participants.open(wanted);
      List<Participant> taking = new ArrayList<>(participants.present());
      taking.removeIf(each -> !wanted.contains(each.id));
      if (!taking.isEmpty()) {
        events.addAll(early); // a node that answered must be asked again
        return taking;
      }
      stall.missed("no node");
      Event event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      if (event != null) {
        early.add(event);
      }
    }
  }

  private @Nullable NodeId primary(int segment) {
    engine.checkOpen();
    return engine.isClustered() ? engine.primary(segment) : service.calls().self();
  }

  // ---- mapping

  private void mapAll(RoundState state) throws InterruptedException {
    while (state.done.size() < plan.segments.size()) {
      check();
      assign(state);
      for (Participant each : participants.present()) {
        ask(state, each);
      }
      Event event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      for (; event != null; event = events.poll()) {
        if (event.part == null) { // else of an earlier round
          onStepEvent(state, event);
        }
      }
      giveUpSilent(state);
    }
  }

  /** Gives up nodes whose answer is late and that no longer have a part of the cache. */
  private void giveUpSilent(RoundState state) {
    long now = clock.nanoTime();
    for (Participant each : List.copyOf(participants.present())) {
      boolean isLate = each.asked != null && now - each.askedNanos > LATE_NANOS;
      if (isLate && plan.segments.stream().noneMatch(s -> each.id.equals(primary(s)))) {
        giveUp(state, each, "it has no part in the cache any more");
      }
    }
  }

  private void assign(RoundState state) throws InterruptedException {
    long now = clock.nanoTime();
    if (state.isStuck) {
      counters.losses.unowned(now - lookedNanos);
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
    participants.open(byNode.keySet());
    int found = byNode.values().stream().mapToInt(List::size).sum();
    state.isStuck =
        found < state.pending.size()
            || byNode.keySet().stream().anyMatch(node -> participants.at(node) == null);
    if (state.isStuck) {
      stall.missed("nobody");
    }
    byNode.forEach((node, segments) -> {
      Participant to = participants.at(node);
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
      participants
          .call(to, step, Participants.CALL_MILLIS)
          .whenComplete((answer, failure) -> events.add(new Event(to, null, answer, failure)));
    }
  }

  private void onStepEvent(RoundState state, Event event) {
    Participant from = event.from;
    if (!participants.isPresent(from)) {
      return; // given up meanwhile
    }
    if (event.answer != null) {
      from.asked = null;
      onAnswer(state, from, participants.answer(event.answer));
    } else if (Participants.isBusy(event.failure)) {
      from.wasBusy = true;
      counters.losses.busy();
    } else {
      giveUpUnlessFailed(state, event);
    }
  }

  private void giveUpUnlessFailed(RoundState state, Event event) {
    participants.failUnlessTransient(event.from, event.failure);
    giveUp(state, event.from, String.valueOf(event.failure));
  }

  private void onAnswer(RoundState state, Participant from, Answer answer) {
    from.stats = answer.stats();
    if (answer.failure() != null) {
      throw participants.failed(from, answer.failure());
    }
    for (Attempt attempt : answer.attempts()) {
      if (attempt.round() == state.round.number()) {
        onAttempt(state, from, attempt);
      }
    }
    if (answer.notServed().length > 0) {
      stall.missed("nobody");
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
    for (Participant each : participants.present()) {
      (counts ? each.counting : each.dropped).add(attempt.number());
    }
    List<Integer> its = segments.stream().filter(from.assigned::remove).toList();
    if (counts) {
      stall.moved();
      state.done.addAll(its);
      state.counted.add(new RoundState.Counted(attempt.number(), from, attempt.origin(), its));
      if (attempt.isAgain()) {
        counters.losses.sentAgain();
      } else {
        int more = state.notSentAgain(its);
        counters.segmentsTotal.addAndGet(more);
        counters.segmentsRepeated.addAndGet(more);
        counters.segmentsDone.addAndGet(its.size());
      }
    } else {
      counters.losses.moved(its.size());
      mapAgain(state, its); // others count already, or are another node's now
    }
  }

  /** Assigns segments anew that a node did not complete. */
  private void mapAgain(RoundState state, Collection<Integer> segments) {
    state.pending.addAll(segments);
    counters.segmentsTotal.addAndGet(state.notSentAgain(segments));
    counters.segmentsRepeated.addAndGet(segments.size());
  }

  private void lose(RoundState state, int partition) {
    if (!state.handedOver.contains(partition) && state.lost.add(partition)) {
      participants.present().forEach(each -> each.lost.add(partition));
    }
  }

  /** Continues without a node. */
  private void giveUp(RoundState state, Participant gone, String why) {
    participants.remove(gone);
    int[] nodes = state.round.partitionNodes();
    int partitions = 0;
    for (int partition = 0; partition < nodes.length; partition++) {
      if (nodes[partition] == gone.key.number()) {
        lose(state, partition);
        partitions++;
      }
    }
    long waitedNanos = gone.asked == null ? 0 : clock.nanoTime() - gone.askedNanos;
    counters.losses.node(gone, waitedNanos, partitions, why);
    mapAgain(state, gone.assigned);
    gone.assigned.clear();
  }

  // ---- the result

  /** Hands over the result of a round, without the lost partitions. */
  private void deliver(RoundState state, ResultSink sink) throws InterruptedException {
    ResultFetch fetch =
        new ResultFetch(state, sink, participants, counters.losses, clock, events::add);
    long pingedNanos = clock.nanoTime();
    fetch.askForMore();
    while (!fetch.isDone()) {
      check();
      if (clock.nanoTime() - pingedNanos > PING_NANOS) {
        pingedNanos = clock.nanoTime();
        participants.present().forEach(this::ping);
      }
      Event event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      if (event == null) {
        continue;
      }
      if (event.part == null) {
        onStepEvent(state, event);
      } else if (!fetch.take(event.part, event.answer, event.failure)) {
        giveUpUnlessFailed(state, event);
      }
      fetch.leaveLost();
      fetch.askForMore();
    }
  }

  /** Checks whether a node is alive that has no other call to answer soon. */
  private void ping(Participant node) {
    participants
        .call(node, new Alive(node.key), PING_MILLIS)
        .whenComplete((_, failure) -> {
          if (failure != null && !Participants.isBusy(failure)) { // busy is alive
            events.add(new Event(node, null, null, failure));
          }
        });
  }

  // ---- the end

  /** Ends the task on all nodes; waits for them, at most a few seconds. */
  void close() {
    counters.end();
    boolean isSure = participants.closeAll();
    String pairs = plan.spec.pairsCache();
    if (pairs != null) {
      service.clean(id, pairs, isSure);
    }
  }

  /** Any thread. */
  MapReduceStats stats() {
    return counters.stats(participants.stats());
  }
}
