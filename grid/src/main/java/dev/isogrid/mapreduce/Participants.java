package dev.isogrid.mapreduce;

import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.CallTrace;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.mapreduce.Control.Alive;
import dev.isogrid.mapreduce.Control.Close;
import dev.isogrid.mapreduce.Control.Open;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.topology.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The participating nodes of a task, in the view of the coordinator, and its calls to them. Only
 * the task's thread changes it; methods for any thread read concurrent maps.
 */
final class Participants {
  /** The time without an answer after which a node is given up. */
  static final long CALL_MILLIS = 10_000;

  /** The longest time for a node to begin; all others wait for it. */
  private static final long OPEN_MILLIS = 1_000;

  private static final long CLOSE_MILLIS = 5_000;

  private final MapReduceService service;
  private final NanoClock clock;
  private final UUID task;
  private final TaskSpec spec;
  private final @Nullable CallTrace trace;

  /** The present participants. */
  private final Map<NodeId, Participant> present = new ConcurrentHashMap<>();

  /** All participants ever, by their numbers. */
  private final Map<Integer, Participant> all = new ConcurrentSkipListMap<>();

  private int lastNumber;

  /**
   * Begins without nodes.
   *
   * @param trace the task's place in a trace, or null
   */
  Participants(
      MapReduceService service,
      NanoClock clock,
      UUID task,
      TaskSpec spec,
      @Nullable CallTrace trace) {
    this.service = service;
    this.clock = clock;
    this.task = task;
    this.spec = spec;
    this.trace = trace;
  }

  /** The present participants, as a live view. */
  Collection<Participant> present() {
    return Collections.unmodifiableCollection(present.values());
  }

  /** A present participant, or null. */
  @Nullable Participant at(NodeId node) {
    return present.get(node);
  }

  /** Whether it takes part now, and was not given up. */
  boolean isPresent(Participant one) {
    return present.get(one.id) == one;
  }

  /** The participant with a number. */
  Participant numbered(int number) {
    return Objects.requireNonNull(all.get(number));
  }

  /** The nodes by their numbers, in the form of {@link Control.Round}. */
  long[] nodes() {
    long[] nodes = new long[2 * (lastNumber + 1)];
    all.forEach((number, each) -> {
      nodes[2 * number] = each.id.high();
      nodes[2 * number + 1] = each.id.low();
    });
    return nodes;
  }

  /** The last statistics of the nodes. Any thread. */
  List<MapReduceNodeStats> stats() {
    List<MapReduceNodeStats> told = new ArrayList<>();
    for (Participant each : all.values()) {
      MapReduceNodeStats last = each.stats;
      if (last != null) {
        told.add(last);
      }
    }
    return told;
  }

  /** Opens the task on nodes; those that don't answer are left out. */
  void open(Set<NodeId> nodes) throws InterruptedException {
    NodeId self = service.calls().self();
    Map<Participant, CompletableFuture<ByteString>> opened = new HashMap<>();
    for (NodeId node : nodes) {
      if (present.containsKey(node)) {
        continue;
      }
      Participant added =
          new Participant(
              node,
              service.calls().names().of(node),
              new TaskKey(task, ++lastNumber),
              clock.nanoTime());
      if (node.equals(self)) {
        service.open(self, added.key, spec, trace);
        join(added);
      } else {
        opened.put(added, call(added, new Open(added.key, spec), OPEN_MILLIS, trace));
      }
    }
    for (Map.Entry<Participant, CompletableFuture<ByteString>> each : opened.entrySet()) {
      try {
        each.getValue().get();
        join(each.getKey());
      } catch (ExecutionException e) {
        failUnlessTransient(each.getKey(), e.getCause());
        CompletableFuture<ByteString> _ = close(each.getKey());
      }
    }
  }

  private void join(Participant added) {
    all.put(added.key.number(), added);
    present.put(added.id, added);
  }

  /** Continues without a node, and notifies it of that if possible. */
  void remove(Participant gone) {
    present.remove(gone.id);
    CompletableFuture<ByteString> _ = close(gone);
  }

  private CompletableFuture<ByteString> close(Participant one) {
    return call(one, new Close(one.key), CLOSE_MILLIS);
  }

  /**
   * Ends the task on all nodes; waits for them, at most a few seconds.
   *
   * @return whether all of them confirmed the end
   */
  boolean closeAll() {
    Collection<Participant> those = spec.pairsCache() == null ? present.values() : all.values();
    List<CompletableFuture<ByteString>> answers = those.stream().map(this::close).toList();
    CompletableFuture.allOf(
            answers.stream()
                .map(answer -> answer.exceptionally(_ -> ByteString.of(new byte[0])))
                .toArray(CompletableFuture[]::new))
        .join();
    return answers.stream().noneMatch(CompletableFuture::isCompletedExceptionally);
  }

  /** Notifies the nodes that the result is still needed. Any thread; does not block. */
  void heartbeat() {
    for (Participant each : present.values()) {
      CompletableFuture<ByteString> _ = call(each, new Alive(each.key), CALL_MILLIS);
    }
  }

  /** Sends the rest of a round's news to all nodes, and requests their statistics. */
  void askForStats(Control.Round round) throws InterruptedException {
    Map<Participant, CompletableFuture<ByteString>> answers = new HashMap<>();
    for (Participant each : present.values()) {
      each.forgetRound();
      answers.put(each, call(each, each.nextStep(round), CLOSE_MILLIS));
    }
    for (Map.Entry<Participant, CompletableFuture<ByteString>> each : answers.entrySet()) {
      try {
        each.getKey().stats = answer(each.getValue().get()).stats();
      } catch (ExecutionException notTold) {
        failUnlessTransient(each.getKey(), notTold.getCause());
      }
    }
  }

  CompletableFuture<ByteString> call(Participant to, Control what, long timeoutMillis) {
    return call(to, what, timeoutMillis, null);
  }

  private CompletableFuture<ByteString> call(
      Participant to, Control what, long timeoutMillis, @Nullable CallTrace ofCall) {
    try {
      ByteString message = ControlCodec.toBytes(what);
      return service.calls().call(to.id, MapReduceService.CONTROL, message, timeoutMillis, ofCall);
    } catch (IOException notSerializable) {
      throw new InvalidRequestException(
          ("function of a map/reduce can't be serialised: %s; it captures something that is not"
                  + " Serializable")
              .formatted(notSerializable));
    }
  }

  /** Reads objects from other nodes. */
  ObjectReader objects() {
    return service.calls().objects();
  }

  /** Parses the answer to a step. */
  Control.Answer answer(ByteString bytes) {
    try {
      return ControlCodec.answer(bytes, objects());
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("answer can't be read", e);
    }
  }

  // ---- calls that fail

  /** Whether a node was too busy for a call. */
  static boolean isBusy(@Nullable Throwable failure) {
    return failure instanceof NodeCallException call
        && call.reason() == NodeCallException.Reason.BUSY;
  }

  /** Fails the task, unless it can continue without the node whose call failed. */
  void failUnlessTransient(Participant at, @Nullable Throwable failure) {
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

  /** The user's exception for a failure on a node. */
  GridException failed(Participant at, @Nullable Throwable why) {
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
        "map/reduce failed: cache=%s, node=%s, %s".formatted(spec.cache(), at.name, text), cause);
  }
}
