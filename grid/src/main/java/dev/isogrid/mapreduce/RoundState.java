package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Round;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the node that started a task knows of a round. For one thread. */
final class RoundState {
  final Round round;

  /** Segments that nobody was told to map. */
  final Set<Integer> pending;

  /** Segments that count. */
  final Set<Integer> done = new HashSet<>();

  /** Partitions that are left to the next round. */
  final Set<Integer> lost = new HashSet<>();

  /** Whether some of those have no node that answers for them. */
  boolean isStuck;

  /** Partitions of which all was handed over: whatever fails, they don't come again. */
  final Set<Integer> handedOver = new HashSet<>();

  /** Attempts that count. */
  final List<Counted> counted = new ArrayList<>();

  /** Segments whose pairs are on their way from an earlier round, and need not be mapped. */
  final Set<Integer> again = new HashSet<>();

  /**
   * An attempt that counts.
   *
   * @param origin what mapped: this attempt, or one of an earlier round
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

  /** Has what is left of an earlier round sent again by those who take part still. */
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

  /** Segments are mapped in this round after all; how many of them had been mapped before. */
  int notSentAgain(Collection<Integer> segments) {
    int before = again.size();
    segments.forEach(again::remove);
    return before - again.size();
  }
}
