package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.Round;
import java.util.ArrayList;
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

  /** Attempts that count. */
  final List<Long> counting = new ArrayList<>();

  RoundState(Round round, List<Integer> segments) {
    this.round = round;
    this.pending = new TreeSet<>(segments);
  }
}
