package dev.isogrid.chaos.history;

import dev.isogrid.chaos.history.Linearization.Question;
import dev.isogrid.chaos.history.Verdict.Explained;
import dev.isogrid.chaos.history.Verdict.Undecided;
import dev.isogrid.chaos.history.Verdict.Unexplained;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that the operations on one key are linearizable, and that versions identify values. */
public final class KeyCheck {
  private KeyCheck() {}

  /**
   * Checks the operations on one key.
   *
   * @param operations all operations on a key without an entry at first, in any order
   */
  public static Verdict check(List<Operation> operations) {
    List<Operation> sorted =
        operations.stream().sorted(Comparator.comparingLong(Operation::calledNanos)).toList();
    try {
      long nanos = Linearization.unexplainedNanos(new Question(sorted, Set.of(), false));
      if (nanos != Long.MAX_VALUE) {
        return new Core(sorted, nanos).find();
      }
    } catch (Linearization.TooMany tooMany) {
      return new Undecided(tooMany.reason());
    }
    return versions(sorted);
  }

  /** Checks that the version of a value belongs to no other value, and does not change. */
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
}
