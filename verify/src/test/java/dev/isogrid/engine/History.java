package dev.isogrid.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The calls and answers of clients, and the search for a sequential order that explains them. */
final class History {
  /*
   * The search of J. Wing and C. Gong, Testing and Verifying Concurrent Objects, JPDC 1993,
   * https://doi.org/10.1006/jpdc.1993.1015, with G. Lowe's memory of (operations done, state), one
   * key at a time, which P. 4 of M. Herlihy and J. Wing, Linearizability, TOPLAS 1990, allows. An
   * operation of unknown outcome may take effect at any time after its call, or never.
   */

  /** The most states of the search for one key: more means that the check gives no answer. */
  private static final int STATES_MAX = 3_000_000;

  private static final long STATE_FACTOR = 0x9E3779B97F4A7C15L;

  /** There are too many possible orders to try them all. */
  static final class TooLong extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLong(String message) {
      super(message);
    }
  }

  private static final class Op {
    private final SimCommand command;
    private final Object key;
    private final long calledNanos;
    private long returnedNanos = Long.MAX_VALUE;

    /** The end of the client's call, whatever its outcome. */
    private long endedNanos = Long.MAX_VALUE;

    private @Nullable Object result;
    private boolean isKnown;

    Op(SimCommand command, Object key, long calledNanos) {
      this.command = command;
      this.key = key;
      this.calledNanos = calledNanos;
    }

    @Override
    public String toString() {
      String end = isKnown ? returnedNanos / 1000 + " us -> " + result : "unknown";
      return "%d us %s %s exp=%s val=%s .. %s"
          .formatted(
              calledNanos / 1000, command.kind(), key, command.expected(), command.value(), end);
    }
  }

  private final Map<Object, List<Op>> ops = new HashMap<>();
  private int known;
  private int unknown;

  /**
   * Notes the call of a client.
   *
   * @param keys the keys of the command: each of them is an operation of its own
   */
  WhenDone call(SimCommand command, Collection<?> keys, long nowNanos) {
    Map<Object, Op> calls = new HashMap<>();
    for (Object key : keys) {
      Op op = new Op(command, key, nowNanos);
      calls.put(key, op);
      ops.computeIfAbsent(key, _ -> new ArrayList<>()).add(op);
    }
    return (outcome, doneNanos) -> {
      known += outcome.kind() == Outcome.Kind.DONE ? 1 : 0;
      unknown += outcome.kind() == Outcome.Kind.INDETERMINATE ? 1 : 0;
      calls.forEach((key, op) -> {
        op.endedNanos = doneNanos;
        end(key, op, outcome, doneNanos);
      });
    };
  }

  private void end(Object key, Op op, Outcome outcome, long doneNanos) {
    switch (outcome.kind()) {
      case DONE -> {
        op.isKnown = true;
        op.returnedNanos = doneNanos;
        op.result = outcome.result();
      }
      case FAILED -> ops.getOrDefault(key, List.of()).remove(op);
      case INDETERMINATE -> {
        // It may take effect at any time, or never.
      }
    }
  }

  /** Receives the outcome of a call. */
  interface WhenDone {
    void done(Outcome outcome, long nowNanos);
  }

  int known() {
    return known;
  }

  int unknown() {
    return unknown;
  }

  /** The problem, or null if an order explains everything. */
  @Nullable String problem() {
    for (List<Op> ofKey : ops.values()) {
      if (!isLinearizable(ofKey)) {
        StringBuilder text = new StringBuilder("not linearizable:\n");
        ofKey.forEach(op -> text.append("  ").append(op).append('\n'));
        return text.toString();
      }
    }
    return null;
  }

  /**
   * A read of a replaced value, or of a value that was never written; null if there is none. That
   * is weaker than {@link #problem}: during a write, one client may read the new value and a later
   * one the old value. Any read may find nothing.
   */
  @Nullable String staleRead() {
    for (List<Op> ofKey : ops.values()) {
      for (Op read : ofKey) {
        boolean hasValue = read.isKnown && read.command.isRead() && read.result != null;
        String reason = hasValue ? staleness(read, ofKey) : null;
        if (reason != null) {
          return "%s: %s".formatted(reason, read);
        }
      }
    }
    return null;
  }

  private static @Nullable String staleness(Op read, List<Op> ofKey) {
    Op source = null;
    for (Op op : ofKey) {
      if (!op.command.isRead() && Objects.equals(op.command.value(), read.result)) {
        source = op;
      }
    }
    if (source == null || source.calledNanos > read.returnedNanos) {
      return "read, but not written";
    }
    for (Op op : ofKey) {
      boolean isLater = !op.command.isRead() && op.calledNanos > source.endedNanos;
      if (isLater && op.returnedNanos < read.calledNanos) {
        return "read after it was replaced: written=%s, replaced=%s".formatted(source, op);
      }
    }
    return null;
  }

  private static boolean isLinearizable(List<Op> history) {
    List<Op> sorted = new ArrayList<>(history);
    sorted.removeIf(op -> !op.isKnown && op.command.isRead());
    sorted.sort(
        Comparator.comparing((Op op) -> !op.isKnown).thenComparingLong(op -> op.calledNanos));
    return new Search(sorted).succeeds();
  }

  /** The depth-first search, with its own stack. */
  private static final class Search {
    private record Step(int op, @Nullable Object before) {}

    private final Op[] ops;
    private final BitSet done = new BitSet();

    /** The visited states, by the hash of the done operations and the value. */
    private final Set<Long> seen = new HashSet<>();

    private final long[] hashes;
    private long doneHash;
    private final ArrayList<Step> path = new ArrayList<>();
    private @Nullable Object state;
    private final int known;
    private int knownLeft;

    Search(List<Op> sorted) {
      this.ops = sorted.toArray(Op[]::new);
      this.hashes = new SplittableRandom(ops.length).longs(ops.length).toArray();
      this.known = (int) Arrays.stream(ops).filter(op -> op.isKnown).count();
      this.knownLeft = known;
    }

    boolean succeeds() {
      int next = 0;
      while (knownLeft > 0) {
        next = candidate(next);
        if (next >= 0) {
          take(next);
          next = 0;
          continue;
        }
        if (path.isEmpty()) {
          return false;
        }
        next = undo() + 1;
      }
      return true;
    }

    /**
     * The next operation from a position on that can be the next one in order, or -1. Operations of
     * known outcome are tried first.
     */
    private int candidate(int from) {
      long earliestReturn = Long.MAX_VALUE;
      int first = done.nextClearBit(0);
      for (int i = first; i < known && ops[i].calledNanos <= earliestReturn; i++) {
        if (!done.get(i)) {
          earliestReturn = Math.min(earliestReturn, ops[i].returnedNanos);
        }
      }
      for (int i = Math.max(from, first); i < ops.length; i++) {
        boolean isTooLate = ops[i].calledNanos > earliestReturn;
        if (isTooLate && i < known) {
          i = known - 1;
        } else if (!isTooLate && !done.get(i) && fits(ops[i]) && isNew(i)) {
          return i;
        }
      }
      return -1;
    }

    private boolean fits(Op op) {
      return op.isKnown
          ? op.command.explained(state, op.result) != null
          : op.command.attempted(state).changes();
    }

    private boolean isNew(int i) {
      if (seen.size() > STATES_MAX) {
        throw new TooLong("history is too long to be checked: ops=" + ops.length);
      }
      long stateHash = Objects.hashCode(stateAfter(ops[i])) * STATE_FACTOR;
      return seen.add(doneHash ^ hashes[i] ^ stateHash);
    }

    private @Nullable Object stateAfter(Op op) {
      Command.Decision explained = op.isKnown ? op.command.explained(state, op.result) : null;
      Command.Decision decision = explained == null ? op.command.attempted(state) : explained;
      return decision.changes() ? decision.value() : state;
    }

    private void take(int i) {
      path.add(new Step(i, state));
      state = stateAfter(ops[i]);
      done.set(i);
      doneHash ^= hashes[i];
      knownLeft -= ops[i].isKnown ? 1 : 0;
    }

    private int undo() {
      Step last = path.removeLast();
      state = last.before;
      done.clear(last.op);
      doneHash ^= hashes[last.op];
      knownLeft += ops[last.op].isKnown ? 1 : 0;
      return last.op;
    }
  }
}
