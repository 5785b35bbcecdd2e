package dev.isogrid.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Makes the answer of a map/reduce out of its results, where the task was started.
 *
 * @param <A> the keys
 * @param <B> the reduced values
 * @param <R> the answer
 */
@FunctionalInterface
public interface Collator<A, B, R> {
  /** The answer. The map is the caller's own. */
  R collate(Map<A, B> reduced);

  /**
   * The entries with the largest values, the largest first; of equal ones any.
   *
   * @param count how many at most, 0 or more
   */
  static <A, B extends Comparable<? super B>> Collator<A, B, List<Map.Entry<A, B>>> top(int count) {
    return reduced -> {
      List<Map.Entry<A, B>> entries = new ArrayList<>(reduced.entrySet());
      entries.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
      return List.copyOf(entries.subList(0, Math.min(count, entries.size())));
    };
  }
}
