package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Step;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.mapreduce.Control.Work;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A participating node, in the view of the coordinator. For one thread, except for the stats. */
final class Participant {
  private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  final NodeId id;

  /** Its name for human readers. */
  final String name;

  final TaskKey key;

  /** Segments that are assigned to it, and whose outcome is open. */
  final Set<Integer> assigned = new HashSet<>();

  /** The news for the next step. */
  final List<Integer> toAssign = new ArrayList<>();

  final List<Again> toSendAgain = new ArrayList<>();

  final List<Long> counting = new ArrayList<>();
  final List<Long> dropped = new ArrayList<>();
  final List<Integer> lost = new ArrayList<>();

  /** The step without an answer yet; null if there is none. */
  @Nullable Step asked;

  /** The time of the last step, or of joining. */
  long askedNanos;

  /** Whether that step was refused, and must be sent again. */
  boolean wasBusy;

  /** Written by the coordinator's thread. */
  volatile @Nullable MapReduceNodeStats stats;

  Participant(NodeId id, String name, TaskKey key, long nowNanos) {
    this.id = id;
    this.name = name;
    this.key = key;
    this.askedNanos = nowNanos;
  }

  /**
   * Whether a step is needed now, to send or to receive news. The decisions on attempts of all
   * nodes can wait until there are more of them, or until the first part needs them.
   */
  boolean needsStep(long nowNanos) {
    boolean hasCounts = !counting.isEmpty() || !dropped.isEmpty();
    return !assigned.isEmpty()
        || !lost.isEmpty()
        || (hasCounts && nowNanos - askedNanos >= TELL_NANOS);
  }

  /** The next step; clears the news for it. */
  Step nextStep(Control.Round round) {
    Work work = new Work(ints(toAssign), List.copyOf(toSendAgain));
    Step step = new Step(key, round, work, longs(counting), longs(dropped), ints(lost));
    toAssign.clear();
    toSendAgain.clear();
    counting.clear();
    dropped.clear();
    lost.clear();
    return step;
  }

  /** Begins another round. */
  void forgetRound() {
    assigned.clear();
    toAssign.clear();
    toSendAgain.clear();
    counting.clear();
    dropped.clear();
    lost.clear();
  }

  private static int[] ints(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  private static long[] longs(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }
}
