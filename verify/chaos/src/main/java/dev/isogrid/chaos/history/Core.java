package dev.isogrid.chaos.history;

import dev.isogrid.chaos.history.Linearization.Question;
import dev.isogrid.chaos.history.Operation.Outcome;
import dev.isogrid.chaos.history.Verdict.Unexplained;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The search for a few operations on a key that cannot be explained. Not thread-safe. */
final class Core {
  /*
   * Removing an operation must not remove the explanation of the rest. Two ways are sound, since
   * each allows more than the history did:
   *
   *   - To begin late, with any value. Operations in progress at that moment may have been done
   *     before it, so they become optional, like operations of unknown outcome.
   *   - To make an operation optional: it was done in its time, with any result, or not at all. A
   *     read then shows nothing.
   */

  /** The limit of searches: about one per operation of a key with a long history. */
  private static final int SEARCHES_MAX = 4_000;

  private final List<Operation> operations;
  private final int total;
  private final Set<Operation> optional = new HashSet<>();
  private List<Operation> late;
  private boolean isStartUnknown;

  /**
   * Prepares the search.
   *
   * @param operations the unexplained operations, in the order of their calls
   * @param unexplainedNanos the end of the first operation without an explanation
   */
  Core(List<Operation> operations, long unexplainedNanos) {
    this.total = operations.size();
    this.operations =
        operations.stream()
            .filter(operation -> operation.calledNanos() <= unexplainedNanos)
            .filter(operation -> operation.outcome() != Outcome.FAILED)
            .toList();
    this.late = this.operations;
  }

  Unexplained find() {
    beginLate();
    makeOptional();
    List<Operation> shown = relevant();
    return new Unexplained("not linearizable", shown, total - shown.size());
  }

  private boolean isUnexplained(List<Operation> some, Set<Operation> weak, boolean isUnknown) {
    try {
      return Linearization.unexplainedNanos(new Question(some, weak, isUnknown)) != Long.MAX_VALUE;
    } catch (Linearization.TooMany _) {
      // Then this way makes it no smaller; the history before is as good a proof.
      return false;
    }
  }

  /** A later beginning allows more, so halving finds the last one that allows too little. */
  private void beginLate() {
    long[] begins = operations.stream().mapToLong(Operation::calledNanos).sorted().toArray();
    int tooLittle = -1;
    int enough = begins.length;
    while (enough - tooLittle > 1) {
      int middle = (tooLittle + enough) >>> 1;
      long begin = begins[middle];
      if (isUnexplained(since(begin), spanning(begin), true)) {
        tooLittle = middle;
      } else {
        enough = middle;
      }
    }
    if (tooLittle >= 0) {
      optional.addAll(spanning(begins[tooLittle]));
      late = since(begins[tooLittle]);
      isStartUnknown = true;
    }
  }

  private List<Operation> since(long beginNanos) {
    return operations.stream()
        .filter(o -> o.outcome() == Outcome.UNKNOWN || o.endedNanos() >= beginNanos)
        .toList();
  }

  private Set<Operation> spanning(long beginNanos) {
    Set<Operation> weak = new HashSet<>(optional);
    operations.stream().filter(o -> o.calledNanos() < beginNanos).forEach(weak::add);
    return weak;
  }

  private void makeOptional() {
    List<Operation> strict = new ArrayList<>(late);
    strict.removeIf(o -> o.outcome() != Outcome.DONE || optional.contains(o));
    int searches = 0;
    for (int length = strict.size(); length >= 1; length /= 2) {
      for (int end = strict.size(); end > 0 && searches < SEARCHES_MAX; end -= length) {
        List<Operation> chunk = strict.subList(Math.max(end - length, 0), end);
        Set<Operation> weak = new HashSet<>(optional);
        weak.addAll(chunk);
        searches++;
        if (isUnexplained(late, weak, isStartUnknown)) {
          optional.addAll(chunk);
          chunk.clear();
        }
      }
    }
  }

  /** The operations whose results count, and the writes of the values in these results. */
  private List<Operation> relevant() {
    Set<Long> named = new HashSet<>();
    for (Operation operation : late) {
      if (isStrict(operation)) {
        named.add(operation.expected());
        named.add(operation.result());
      }
    }
    named.remove(Operation.NONE);
    return operations.stream()
        .filter(o -> (late.contains(o) && isStrict(o)) || named.contains(o.argument()))
        .toList();
  }

  private boolean isStrict(Operation operation) {
    return operation.outcome() == Outcome.DONE && !optional.contains(operation);
  }
}
