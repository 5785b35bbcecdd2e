package dev.isogrid.chaos.history;

import dev.isogrid.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Tries every order of a few operations on one key: slow, and too simple to be wrong. */
final class BruteForce {
  private BruteForce() {}

  /** Whether some order explains the operations. */
  static boolean explains(List<Operation> operations) {
    return explains(operations, Operation.NONE);
  }

  private static boolean explains(List<Operation> left, long value) {
    if (left.stream().noneMatch(operation -> operation.outcome() == Outcome.DONE)) {
      return true;
    }
    for (Operation next : left) {
      if (next.outcome() == Outcome.FAILED || !mayComeFirst(next, left)) {
        continue;
      }
      long result = result(next, value);
      boolean fits =
          next.outcome() == Outcome.UNKNOWN
              || next.result() == Operation.UNSEEN
              || next.result() == result;
      if (fits) {
        List<Operation> rest = new ArrayList<>(left);
        rest.remove(next);
        if (explains(rest, after(next, value))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean mayComeFirst(Operation next, List<Operation> left) {
    return left.stream()
        .noneMatch(
            other -> other.outcome() == Outcome.DONE && other.endedNanos() < next.calledNanos());
  }

  private static long result(Operation operation, long value) {
    return switch (operation.kind()) {
      case GET, PUT, PUT_IF_ABSENT, REMOVE -> value;
      case REPLACE_IF, REMOVE_IF -> operation.expected() == value ? 1 : 0;
    };
  }

  private static long after(Operation operation, long value) {
    return switch (operation.kind()) {
      case GET -> value;
      case PUT -> operation.argument();
      case REMOVE -> Operation.NONE;
      case PUT_IF_ABSENT -> value == Operation.NONE ? operation.argument() : value;
      case REPLACE_IF -> operation.expected() == value ? operation.argument() : value;
      case REMOVE_IF -> operation.expected() == value ? Operation.NONE : value;
    };
  }
}
