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

/** All that clients did, by key; also written to a file as it comes. Thread-safe. */
public final class History {
  private final Map<String, List<Operation>> byKey = new ConcurrentHashMap<>();
  private final HistoryFile file;

  /**
   * Makes an empty history.
   *
   * @param file what gets each operation too; closed by its owner
   */
  public History(HistoryFile file) {
    this.file = file;
  }

  /**
   * What the check of a history came to.
   *
   * @param keys how many keys there are
   * @param operations how many operations on them ended in which way
   * @param problems what is not explained or not decided, by key
   */
  public record Result(
      int keys, Map<Operation.Outcome, Long> operations, Map<String, Verdict> problems) {
    /** Copies the maps. */
    public Result {
      operations = Map.copyOf(operations);
      problems = new TreeMap<>(problems);
    }

    /** Two results together, of different keys. */
    public Result plus(Result other) {
      Map<Operation.Outcome, Long> sum = new HashMap<>(operations);
      other.operations.forEach((outcome, count) -> sum.merge(outcome, count, Long::sum));
      Map<String, Verdict> all = new HashMap<>(problems);
      all.putAll(other.problems);
      return new Result(keys + other.keys, sum, all);
    }

    /** How many operations ended so. */
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
   * Checks the operations on keys that begin with a prefix, and forgets them. Nobody adds to those
   * any more.
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
