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

/** A node in the eyes of the one that started a task. For one thread, but for the stats. */
final class Participant {
  private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  final NodeId id;

  /** What people call it. */
  final String name;

  final TaskKey key;

  /** Segments that it was told to map, or will be, and of which nothing was heard yet. */
  final Set<Integer> assigned = new HashSet<>();

  /** What the next step tells it. */
  final List<Integer> toAssign = new ArrayList<>();

  final List<Again> toSendAgain = new ArrayList<>();

  final List<Long> counting = new ArrayList<>();
  final List<Long> dropped = new ArrayList<>();
  final List<Integer> lost = new ArrayList<>();

  /** The step that is to be answered; null if there is none. */
  @Nullable Step asked;

  /** When it was last asked, or joined. */
  long askedNanos;

  /** Whether that step was refused, and is to be sent again. */
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
   * Whether there is something to be told now, or to be heard. What counts, of attempts of all
   * nodes, can wait until there is more of it, or until it is needed with the first part.
   */
  boolean needsStep(long nowNanos) {
    boolean hasCounts = !counting.isEmpty() || !dropped.isEmpty();
    return !assigned.isEmpty()
        || !lost.isEmpty()
        || (hasCounts && nowNanos - askedNanos >= TELL_NANOS);
  }

  /** The next step; what it tells is forgotten here. */
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
