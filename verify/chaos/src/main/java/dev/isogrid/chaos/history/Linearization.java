package dev.isogrid.chaos.history;

import dev.isogrid.chaos.history.Operation.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The search for a sequential order of the operations on one key. It must explain each result, and
 * no operation may precede another that ended before its call. Not thread-safe.
 */
final class Linearization {
  /*
   * J. Wing and C. Gong [1] search for such an order depth first; G. Lowe [2] takes an operation
   * into it only just before some operation returns, "just in time", and keeps all configurations
   * reachable until then. This class does the same, since it also finds the first return without an
   * explanation. A configuration is the value of the key and the operations that are in the order
   * already though they have not returned. Checking each key separately is enough, because
   * linearizability is local [3].
   *
   * An operation of unknown outcome never returns, so in a long history with faults there are
   * hundreds of them to choose from at each return. Three things keep the configurations few:
   *
   *   - A configuration that used fewer operations of unknown outcome, with all else equal, can do
   *     whatever the other one can. Only the smallest sets are kept.
   *   - Values are written once. A value that no operation saw or asked for is like any other such
   *     value, so they become one, OTHER; then operations of unknown outcome that do the same to
   *     the same are interchangeable, and they are used in the order of their calls.
   *   - An operation whose result says that it changed nothing (a read, a condition that did not
   *     hold) is taken as soon as it fits: that forbids nothing to those after it.
   *
   * [1] Testing and Verifying Concurrent Objects, JPDC 1993,
   *     https://doi.org/10.1006/jpdc.1993.1015
   * [2] Testing for Linearizability, Concurrency and Computation 2017,
   *     https://doi.org/10.1002/cpe.3928
   * [3] M. Herlihy, J. Wing: Linearizability, TOPLAS 1990, https://doi.org/10.1145/78969.78972
   */

  /** Stands for each value that no operation saw. */
  private static final long OTHER = Long.MAX_VALUE;

  /** The answer of {@link #after} for an operation that cannot come next. */
  private static final long IMPOSSIBLE = Long.MIN_VALUE;

  /** The most operations of known outcome in flight at a time: the bits of a long. */
  private static final int PENDING_MAX = Long.SIZE;

  /** The most configurations between two events: many times the need of a real history. */
  private static final int CONFIGURATIONS_MAX = 100_000;

  /**
   * The state of a search.
   *
   * @param value of the key
   * @param taken the slots of pending operations of known outcome that are in the order already
   * @param used the indices of operations of unknown outcome in the order; never changed
   */
  private record Configuration(long value, long taken, BitSet used) {}

  /** A configuration without the part in which less is better. */
  private record Place(long value, long taken) {}

  private final Operation[] operations;
  private final Set<Operation> optional;
  private final Event[] events;
  private final Set<Long> seen = new HashSet<>();

  /** The operation in each slot, of known outcome and pending; null in free slots. */
  private final int[] slots = new int[PENDING_MAX];

  private long occupied;

  /** Operations of unknown outcome that were called, grouped by effect. */
  private final Map<Effect, List<Integer>> unknown = new HashMap<>();

  private List<Configuration> configurations = new ArrayList<>();

  /** The effect of an operation of unknown outcome on the value. */
  private record Effect(Kind kind, long argument, long expected) {}

  /** A call or a return. */
  private record Event(long nanos, boolean isReturn, int operation) {}

  /** There are more configurations than the limit. */
  static final class TooMany extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    TooMany(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  private Linearization(Question question) {
    this.optional = question.optional;
    this.operations =
        question.operations.stream()
            .filter(o -> o.outcome() != Outcome.FAILED)
            .filter(o -> isStrict(o) || o.kind() != Kind.GET)
            .toArray(Operation[]::new);
    List<Event> all = new ArrayList<>();
    for (int i = 0; i < operations.length; i++) {
      Operation operation = operations[i];
      all.add(new Event(operation.calledNanos(), false, i));
      if (operation.outcome() == Outcome.DONE) {
        all.add(new Event(operation.endedNanos(), true, i));
      }
      if (isStrict(operation) && operation.result() != Operation.UNSEEN) {
        seen.add(operation.result());
      }
      seen.add(operation.expected());
    }
    // A call in the instant of a return may have come before it.
    all.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::isReturn));
    this.events = all.toArray(Event[]::new);
    configurations.add(new Configuration(Operation.NONE, 0, new BitSet()));
    if (question.isStartUnknown) {
      configurations.add(new Configuration(OTHER, 0, new BitSet()));
      seen.stream()
          .filter(value -> value != Operation.NONE)
          .forEach(value -> configurations.add(new Configuration(value, 0, new BitSet())));
    }
  }

  /** Whether the operation was done and its result counts. */
  private boolean isStrict(Operation operation) {
    return operation.outcome() == Outcome.DONE && !optional.contains(operation);
  }

  /**
   * The operations of a search.
   *
   * @param operations on one key, in any order
   * @param optional operations that may have been done in their time, with any result, or not at
   *     all
   * @param isStartUnknown whether the key may have any value at first; else it has none
   */
  record Question(List<Operation> operations, Set<Operation> optional, boolean isStartUnknown) {}

  /**
   * Searches.
   *
   * @return the end of the first operation without an explanation, in the nanoseconds of the
   *     operations; {@link Long#MAX_VALUE} if all are explained
   * @throws TooMany if the search exceeds its limit
   */
  static long unexplainedNanos(Question question) throws TooMany {
    return new Linearization(question).search();
  }

  private long search() throws TooMany {
    for (Event event : events) {
      if (!event.isReturn) {
        call(event.operation);
      } else {
        finish(event.operation);
        if (configurations.isEmpty()) {
          return event.nanos;
        }
      }
    }
    return Long.MAX_VALUE;
  }

  private long masked(long value) {
    return value == Operation.NONE || seen.contains(value) ? value : OTHER;
  }

  private void call(int index) throws TooMany {
    Operation operation = operations[index];
    if (operation.outcome() == Outcome.UNKNOWN) {
      Effect effect =
          new Effect(operation.kind(), masked(operation.argument()), operation.expected());
      unknown.computeIfAbsent(effect, _ -> new ArrayList<>()).add(index);
      return;
    }
    int slot = Long.numberOfTrailingZeros(~occupied);
    if (slot == PENDING_MAX) {
      throw new TooMany("operations on a key at the same time: more than " + PENDING_MAX);
    }
    slots[slot] = index;
    occupied |= 1L << slot;
    configurations.replaceAll(this::withIdle);
  }

  /** The configuration after all operations that fit and, by their results, changed nothing. */
  private Configuration withIdle(Configuration from) {
    long taken = from.taken;
    for (long left = occupied & ~taken; left != 0; left &= left - 1) {
      int slot = Long.numberOfTrailingZeros(left);
      Operation operation = operations[slots[slot]];
      if (isIdle(operation) && after(operation, from.value) != IMPOSSIBLE) {
        taken |= 1L << slot;
      }
    }
    return taken == from.taken ? from : new Configuration(from.value, taken, from.used);
  }

  private boolean isIdle(Operation operation) {
    long result = operation.result();
    return isStrict(operation)
        && switch (operation.kind()) {
          case GET -> true;
          case PUT -> false;
          case PUT_IF_ABSENT -> result != Operation.NONE && result != Operation.UNSEEN;
          case REMOVE, REPLACE_IF, REMOVE_IF -> result == Operation.NONE;
        };
  }

  private void finish(int index) throws TooMany {
    int slot = slotOf(index);
    long bit = 1L << slot;
    Frontier reached = new Frontier();
    Frontier visited = new Frontier();
    ArrayDeque<Configuration> open = new ArrayDeque<>();
    for (Configuration configuration : configurations) {
      if ((configuration.taken & bit) != 0) {
        reached.add(configuration);
      } else if (visited.add(configuration)) {
        open.add(configuration);
      }
      if (optional.contains(operations[index])) {
        reached.add(
            new Configuration(configuration.value, configuration.taken | bit, configuration.used));
      }
    }
    while (!open.isEmpty()) {
      Configuration from = open.remove();
      if (!visited.has(from)) {
        continue;
      }
      for (Configuration next : successors(from)) {
        if ((next.taken & bit) != 0) {
          reached.add(next);
        } else if (visited.add(next)) {
          open.add(next);
        }
      }
      if (visited.size() + reached.size() > CONFIGURATIONS_MAX) {
        throw new TooMany("configurations of a key: more than " + CONFIGURATIONS_MAX);
      }
    }
    occupied &= ~bit;
    configurations = reached.without(bit);
  }

  private int slotOf(int index) {
    for (long left = occupied; left != 0; left &= left - 1) {
      int slot = Long.numberOfTrailingZeros(left);
      if (slots[slot] == index) {
        return slot;
      }
    }
    throw new IllegalStateException("not pending: " + operations[index]);
  }

  private List<Configuration> successors(Configuration from) {
    List<Configuration> found = new ArrayList<>();
    for (long left = occupied & ~from.taken; left != 0; left &= left - 1) {
      int slot = Long.numberOfTrailingZeros(left);
      long value = after(operations[slots[slot]], from.value);
      if (value != IMPOSSIBLE) {
        found.add(withIdle(new Configuration(value, from.taken | 1L << slot, from.used)));
      }
    }
    unknown.forEach((_, same) -> {
      long value = after(operations[same.getFirst()], from.value);
      if (value == IMPOSSIBLE || value == from.value) {
        return;
      }
      for (int index : same) {
        if (!from.used.get(index)) {
          BitSet used = (BitSet) from.used.clone();
          used.set(index);
          found.add(withIdle(new Configuration(value, from.taken, used)));
          return;
        }
      }
    });
    return found;
  }

  /** The value after an operation, or {@link #IMPOSSIBLE} if its result would differ. */
  private long after(Operation operation, long value) {
    boolean isStrict = isStrict(operation);
    long result = operation.result();
    long argument = masked(operation.argument());
    boolean seesValue = !isStrict || result == Operation.UNSEEN || result == value;
    return switch (operation.kind()) {
      case GET -> seesValue ? value : IMPOSSIBLE;
      case PUT -> seesValue ? argument : IMPOSSIBLE;
      case REMOVE -> seesValue ? Operation.NONE : IMPOSSIBLE;
      case PUT_IF_ABSENT -> !seesValue ? IMPOSSIBLE : value == Operation.NONE ? argument : value;
      case REPLACE_IF -> conditional(operation, value, argument);
      case REMOVE_IF -> conditional(operation, value, Operation.NONE);
    };
  }

  private long conditional(Operation operation, long value, long written) {
    boolean holds = operation.expected() == value;
    boolean fits = !isStrict(operation) || operation.result() == (holds ? 1 : 0);
    return !fits ? IMPOSSIBLE : holds ? written : value;
  }

  /** Configurations without those that a better one makes superfluous. */
  private static final class Frontier {
    private final Map<Place, List<BitSet>> smallest = new HashMap<>();
    private int size;

    /** Adds it unless an equally good one exists; returns whether it was added. */
    boolean add(Configuration configuration) {
      List<BitSet> sets =
          smallest.computeIfAbsent(
              new Place(configuration.value, configuration.taken), _ -> new ArrayList<>(1));
      for (BitSet set : sets) {
        if (isWithin(set, configuration.used)) {
          return false;
        }
      }
      int before = sets.size();
      sets.removeIf(set -> isWithin(configuration.used, set));
      sets.add(configuration.used);
      size += sets.size() - before;
      return true;
    }

    /** Whether it was added without a better one since. */
    boolean has(Configuration configuration) {
      List<BitSet> sets = smallest.get(new Place(configuration.value, configuration.taken));
      return sets != null && sets.contains(configuration.used);
    }

    int size() {
      return size;
    }

    /** All configurations, with the slots of {@code bits} free. */
    List<Configuration> without(long bits) {
      List<Configuration> all = new ArrayList<>(size);
      smallest.forEach((place, sets) ->
          sets.forEach(used -> all.add(new Configuration(place.value, place.taken & ~bits, used))));
      return all;
    }

    private static boolean isWithin(BitSet small, BitSet large) {
      if (small.isEmpty()) {
        return true;
      }
      if (small.cardinality() > large.cardinality()) {
        return false;
      }
      for (int i = small.nextSetBit(0); i >= 0; i = small.nextSetBit(i + 1)) {
        if (!large.get(i)) {
          return false;
        }
      }
      return true;
    }
  }
}
