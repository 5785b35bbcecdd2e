package dev.isogrid.mapreduce;

import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.mapreduce.Control.Part;
import dev.isogrid.mapreduce.Coordinator.Event;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the result of a round from the nodes that reduce it, part by part, of some partitions at
 * a time, and hands it over. For one thread, which receives the answers as events.
 */
final class ResultFetch {
  /** The most partitions with a part in flight. */
  private static final int PARTS_MAX = 8;

  /**
   * The time after which a part is requested once more, in case the question or the answer was
   * lost. A reducer may take any time, as long as its node is alive.
   */
  private static final long PART_MILLIS = 30_000;

  /**
   * The least time of a call that ends by its time-out: one that fails sooner shows that the node
   * is gone.
   */
  private static final long TIME_OUT_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

  private final RoundState state;
  private final ResultSink sink;
  private final Participants participants;
  private final Losses losses;
  private final NanoClock clock;
  private final Consumer<Event> events;

  /** The last requested part of each incomplete partition. */
  private final Map<Integer, Asked> open = new HashMap<>();

  /** The next partition after those. */
  private int next;

  private record Asked(Part part, long atNanos) {}

  /**
   * Begins.
   *
   * @param events gets an event for each requested part, from any thread
   */
  // tidy: separate parts of a round, a task and its coordinator
  ResultFetch(
      RoundState state,
      ResultSink sink,
      Participants participants,
      Losses losses,
      NanoClock clock,
      Consumer<Event> events) {
    this.state = state;
    this.sink = sink;
    this.participants = participants;
    this.losses = losses;
    this.clock = clock;
    this.events = events;
  }

  /** Requests parts of the next partitions, unless enough are in flight. */
  void askForMore() {
    int[] nodes = state.round.partitionNodes();
    for (; open.size() < PARTS_MAX && next < nodes.length; next++) {
      if (nodes[next] >= 0 && !state.lost.contains(next)) {
        ask(next, 0);
      }
    }
  }

  /** Whether everything that was not lost has been handed over. */
  boolean isDone() {
    return next == state.round.partitionNodes().length && open.isEmpty();
  }

  private void ask(int partition, int index) {
    int[] nodes = state.round.partitionNodes();
    Participant from = participants.numbered(nodes[partition]);
    long[] counting = index == 0 ? state.counting() : new long[0];
    Part part = new Part(from.key, state.round.number(), partition, index, counting);
    open.put(partition, new Asked(part, clock.nanoTime()));
    participants
        .call(from, part, PART_MILLIS)
        .whenComplete((answer, failure) -> events.accept(new Event(from, part, answer, failure)));
  }

  /**
   * Takes the outcome of a request for a part. Ignores unexpected ones, as from an earlier round
   * whose node was given up.
   *
   * @return false if its node must be given up
   */
  boolean take(Part part, @Nullable ByteString answer, @Nullable Throwable failure) {
    Asked asked = open.get(part.partition());
    if (asked == null || !asked.part.equals(part)) {
      return true;
    }
    if (answer != null) {
      if (handOver(part.partition(), answer)) {
        open.remove(part.partition());
        state.handedOver.add(part.partition());
      } else {
        ask(part.partition(), part.index() + 1);
      }
      return true;
    }
    if (Participants.isBusy(failure)) {
      losses.busy();
    } else if (isTimeOver(asked, failure)) {
      losses.late();
    } else {
      return false;
    }
    ask(part.partition(), part.index());
    return true;
  }

  /** Whether a part did not arrive in time from a node that appears alive. */
  private boolean isTimeOver(Asked asked, @Nullable Throwable failure) {
    return failure instanceof NodeCallException call
        && call.reason() == NodeCallException.Reason.NO_ANSWER
        && clock.nanoTime() - asked.atNanos >= TIME_OUT_NANOS_MIN;
  }

  /** Hands a part over; returns whether it is the last one. */
  private boolean handOver(int partition, ByteString part) {
    ObjectReader objects = participants.objects();
    byte[] bytes = part.toByteArray();
    RunCursor pairs = RunCursor.ofMemory(bytes, 1, bytes.length);
    while (pairs.next()) {
      Object key = PairCodec.read(bytes, pairs.keyOffset(), pairs.keyLength(), objects);
      sink.accept(partition, key, pairs.value(objects));
    }
    boolean isLast = bytes[0] == 1;
    if (isLast) {
      sink.complete(partition);
    }
    return isLast;
  }

  /** Leaves lost partitions to the next round. Call this when some may have been lost. */
  void leaveLost() {
    open.keySet()
        .removeIf(partition -> {
          boolean isLost = state.lost.contains(partition);
          if (isLost) {
            sink.restart(partition);
          }
          return isLost;
        });
  }
}
