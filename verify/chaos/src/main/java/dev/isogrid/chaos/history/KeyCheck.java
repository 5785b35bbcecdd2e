package dev.isogrid.chaos.history;

import dev.isogrid.chaos.history.Operation.Outcome;
import dev.isogrid.chaos.history.Verdict.Explained;
import dev.isogrid.chaos.history.Verdict.Undecided;
import dev.isogrid.chaos.history.Verdict.Unexplained;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the operations on one key: that they are linearizable, and that versions name values. */
public final class KeyCheck {
  /** Searches that may be spent on making an unexplained history small. */
  private static final int SEARCHES_MAX = 4_000;

  private KeyCheck() {}

  /**
   * Checks.
   *
   * @param operations all operations on one key that has no entry at first, in any order
   */
  public static Verdict check(List<Operation> operations) {
    List<Operation> sorted =
        operations.stream().sorted(Comparator.comparingLong(Operation::calledNanos)).toList();
    try {
      long nanos = Linearization.unexplainedNanos(sorted);
      if (nanos != Long.MAX_VALUE) {
        return smaller(sorted, nanos);
      }
    } catch (Linearization.TooMany tooMany) {
      return new Undecided(tooMany.reason());
    }
    return versions(sorted);
  }

  /** A version that comes with a value must be that of no other value, and stay. */
  private static Verdict versions(List<Operation> operations) {
    Map<Long, Operation> ofVersion = new HashMap<>();
    Map<Long, Operation> ofValue = new HashMap<>();
    for (Operation operation : operations) {
      if (operation.version() == 0 || operation.result() == Operation.NONE) {
        continue;
      }
      Operation same = ofVersion.putIfAbsent(operation.version(), operation);
      if (same != null && same.result() != operation.result()) {
        return new Unexplained(
            "one version of two values", List.of(same, operation), operations.size() - 2);
      }
      Operation other = ofValue.putIfAbsent(operation.result(), operation);
      if (other != null && other.version() != operation.version()) {
        return new Unexplained(
            "two versions of one value, which was written once",
            List.of(other, operation),
            operations.size() - 2);
      }
    }
    return new Explained();
  }

  /**
   * Takes away what is not needed for the history to be unexplained. Two ways of that are sound:
   * what fewer results forbid is forbidden with more of them too. A read is left out, and of any
   * other operation the result and the time of its end are: as if its outcome were unknown.
   */
  private static Unexplained smaller(List<Operation> operations, long unexplainedNanos)
      throws Linearization.TooMany {
    List<Operation> core =
        new ArrayList<>(
            operations.stream()
                .filter(operation -> operation.calledNanos() <= unexplainedNanos)
                .filter(operation -> operation.outcome() != Outcome.FAILED)
                .map(o -> o.endedNanos() > unexplainedNanos ? weak(o) : o)
                .filter(operation -> !isNeedless(operation))
                .toList());
    int searches = 0;
    for (int length = Math.max(core.size() / 2, 1); length >= 1; length /= 2) {
      for (int end = core.size(); end > 0 && searches < SEARCHES_MAX; end -= length, searches++) {
        List<Operation> fewer = weakened(core, Math.max(end - length, 0), end);
        if (isUnexplained(fewer)) {
          core = fewer;
          end = Math.min(end, core.size() + length);
        }
      }
    }
    List<Operation> shown = relevant(core);
    return new Unexplained("not linearizable", shown, operations.size() - shown.size());
  }

  private static boolean isUnexplained(List<Operation> operations) {
    try {
      return Linearization.unexplainedNanos(operations) != Long.MAX_VALUE;
    } catch (Linearization.TooMany _) {
      // Then this is no way to make it smaller; the history before is as good a proof.
      return false;
    }
  }

  private static List<Operation> weakened(List<Operation> operations, int from, int to) {
    List<Operation> weakened = new ArrayList<>(operations.subList(0, from));
    for (Operation operation : operations.subList(from, to)) {
      Operation weak = weak(operation);
      if (!isNeedless(weak)) {
        weakened.add(weak);
      }
    }
    weakened.addAll(operations.subList(to, operations.size()));
    return weakened;
  }

  private static Operation weak(Operation operation) {
    return operation.outcome() == Outcome.UNKNOWN ? operation : operation.weakened();
  }

  private static boolean isNeedless(Operation operation) {
    return operation.outcome() == Outcome.UNKNOWN && operation.kind() == Kind.GET;
  }

  /** Without operations of unknown outcome whose value nobody else names. */
  private static List<Operation> relevant(List<Operation> core) {
    Set<Long> named = new HashSet<>();
    for (Operation operation : core) {
      named.add(operation.expected());
      named.add(operation.result());
      if (operation.outcome() == Outcome.DONE) {
        named.add(operation.argument());
      }
    }
    return core.stream()
        .filter(o -> o.outcome() == Outcome.DONE || named.contains(o.argument()))
        .filter(o -> o.outcome() == Outcome.DONE || o.argument() != Operation.NONE)
        .toList();
  }
}
