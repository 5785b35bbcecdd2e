package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Round;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The coordinator's state of a round. For one thread. */
final class RoundState {
  final Round round;

  /** Segments that are not assigned. */
  final Set<Integer> pending;

  /** Segments that count. */
  final Set<Integer> done = new HashSet<>();

  /** Partitions that are left to the next round. */
  final Set<Integer> lost = new HashSet<>();

  /** Whether some of those have no owner. */
  boolean isStuck;

  /** Partitions that are completely handed over: whatever fails, they don't come again. */
  final Set<Integer> handedOver = new HashSet<>();

  /** Attempts that count. */
  final List<Counted> counted = new ArrayList<>();

  /** Segments whose pairs are in flight from an earlier round, and need not be mapped. */
  final Set<Integer> again = new HashSet<>();

  /**
   * An attempt that counts.
   *
   * @param origin the attempt that mapped: this one, or one of an earlier round
   */
  record Counted(long number, Participant by, long origin, List<Integer> segments) {}

  RoundState(Round round, List<Integer> segments) {
    this.round = round;
    this.pending = new TreeSet<>(segments);
  }

  /** The numbers of the attempts that count. */
  long[] counting() {
    return counted.stream().mapToLong(Counted::number).toArray();
  }

  /** Lets the remaining participants of an earlier round send their pairs again. */
  void sendAgain(RoundState earlier, Collection<Participant> participants) {
    for (Counted each : earlier.counted) {
      if (participants.contains(each.by)) {
        int[] segments = each.segments.stream().mapToInt(Integer::intValue).toArray();
        each.by.assigned.addAll(each.segments);
        each.by.toSendAgain.add(new Again(each.origin, segments));
        again.addAll(each.segments);
        each.segments.forEach(pending::remove);
      }
    }
  }

  /**
   * Makes segments be mapped in this round after all; returns how many of them had been mapped
   * before.
   */
  int notSentAgain(Collection<Integer> segments) {
    int before = again.size();
    segments.forEach(again::remove);
    return before - again.size();
  }
}
