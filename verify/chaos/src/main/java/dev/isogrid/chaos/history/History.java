package dev.isogrid.chaos.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** All operations of clients, by key; each is also written to a file at once. Thread-safe. */
public final class History {
  private final Map<String, List<Operation>> byKey = new ConcurrentHashMap<>();
  private final HistoryFile file;

  /**
   * Makes an empty history.
   *
   * @param file the file for the operations; closed by its owner
   */
  public History(HistoryFile file) {
    this.file = file;
  }

  /**
   * The result of checking a history.
   *
   * @param keys the number of keys
   * @param operations the number of operations per outcome
   * @param problems the keys without an explanation or without a decision
   */
  public record Result(
      int keys, Map<Operation.Outcome, Long> operations, Map<String, Verdict> problems) {
    /** Copies the maps. */
    public Result {
      operations = Map.copyOf(operations);
      problems = new TreeMap<>(problems);
    }

    /** The sum of two results for different keys. */
    public Result plus(Result other) {
      Map<Operation.Outcome, Long> sum = new HashMap<>(operations);
      other.operations.forEach((outcome, count) -> sum.merge(outcome, count, Long::sum));
      Map<String, Verdict> all = new HashMap<>(problems);
      all.putAll(other.problems);
      return new Result(keys + other.keys, sum, all);
    }

    /** The number of operations with an outcome. */
    public long count(Operation.Outcome outcome) {
      return operations.getOrDefault(outcome, 0L);
    }
  }

  /** Adds an operation that ended. */
  public void add(Operation operation) {
    byKey.compute(
        operation.key(),
        (_, list) -> {
          List<Operation> all = list == null ? new ArrayList<>(1) : list;
          all.add(operation);
          return all;
        });
    try {
      file.add(operation);
    } catch (IOException failure) {
      throw new UncheckedIOException("the history can't be written", failure);
    }
  }

  /**
   * Checks the operations on keys that begin with a prefix, and forgets them. No further operations
   * on these keys may follow.
   */
  public Result checkAndForget(String prefix) {
    Map<String, List<Operation>> chosen = new HashMap<>(byKey);
    chosen.keySet().removeIf(key -> !key.startsWith(prefix));
    byKey.keySet().removeAll(chosen.keySet());
    return check(chosen);
  }

  /** Checks the operations of each key, on all processors. */
  public static Result check(Map<String, List<Operation>> byKey) {
    Map<String, Verdict> problems = new ConcurrentHashMap<>();
    byKey.entrySet().parallelStream()
        .forEach(entry -> {
          Verdict verdict = KeyCheck.check(entry.getValue());
          if (!(verdict instanceof Verdict.Explained)) {
            problems.put(entry.getKey(), verdict);
          }
        });
    Map<Operation.Outcome, Long> counts = new EnumMap<>(Operation.Outcome.class);
    byKey
        .values()
        .forEach(operations ->
            operations.forEach(operation -> counts.merge(operation.outcome(), 1L, Long::sum)));
    return new Result(byKey.size(), counts, problems);
  }
}
