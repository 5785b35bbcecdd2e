package dev.isogrid.engine;

import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A client of servers, which numbers its writes, and sends one again when its connection breaks. It
 * has one write in flight at a time, and sometimes abandons one.
 */
final class SimClient {
  /** The age at which an operation is given up. */
  private static final long OLD_NANOS = 8_000_000_000L;

  private static final long MILLI = 1_000_000;

  private final SessionId session;
  private final History history;
  private final SimOracle oracle;
  private final TreeSet<Long> open = new TreeSet<>();
  private long lastNumber;
  private int repeated;

  SimClient(SplittableRandom random, History history, SimOracle oracle) {
    this.session = SessionId.ofClient(random.nextLong(), random.nextLong());
    this.history = history;
    this.oracle = oracle;
  }

  /** The number of repeated attempts. */
  int repeated() {
    return repeated;
  }

  Wanted begin(SimCaches.Call call, long nowNanos) {
    open.add(++lastNumber);
    return new Wanted(call, lastNumber, nowNanos);
  }

  private long doneUpTo() {
    return open.isEmpty() ? lastNumber : open.first() - 1;
  }

  /** A write of the client. */
  final class Wanted {
    private final SimCaches.Call call;
    private final long number;
    private final long begunNanos;
    private final History.WhenDone whenDone;
    private int attempts;
    private boolean isEnded;

    Wanted(SimCaches.Call call, long number, long nowNanos) {
      this.call = call;
      this.number = number;
      this.begunNanos = nowNanos;
      this.whenDone = history.call(call.command().wanted(), call.keys(), nowNanos);
    }

    SimCaches.Call call() {
      return call;
    }

    SimCommand command() {
      return call.command();
    }

    int segment() {
      return call.segment();
    }

    /** The identity and status of the client's next attempt. */
    ClientOperation operation(long nowNanos) {
      long age = attempts == 1 ? ClientOperation.FIRST : (nowNanos - begunNanos) / MILLI + 1;
      return new ClientOperation(new OperationId(session, number), doneUpTo(), age);
    }

    int nextAttempt() {
      repeated += attempts == 0 ? 0 : 1;
      return ++attempts;
    }

    boolean isOld(long nowNanos) {
      return nowNanos - begunNanos >= OLD_NANOS;
    }

    /** Whether the client still waits for the answer to an attempt. */
    boolean waitsFor(int attempt) {
      return !isEnded && attempt == attempts;
    }

    /** Ends an attempt; returns false if its connection is broken, so that the answer is lost. */
    boolean end(int attempt, Outcome outcome, long nowNanos) {
      if (!waitsFor(attempt)) {
        return false;
      }
      oracle.onAnswer(call.command(), outcome);
      boolean isUndone = SimCommand.AGAIN.equals(outcome.result());
      Outcome told = isUndone ? new Outcome(Outcome.Kind.FAILED, null) : outcome;
      boolean isSure = attempts == 1 || told.kind() != Outcome.Kind.FAILED || isUndone;
      finish(isSure ? told : new Outcome(Outcome.Kind.INDETERMINATE, null), nowNanos);
      return true;
    }

    /** Abandons the write. */
    void giveUp(long nowNanos) {
      Outcome.Kind kind = attempts == 0 ? Outcome.Kind.FAILED : Outcome.Kind.INDETERMINATE;
      finish(new Outcome(kind, null), nowNanos);
    }

    private void finish(Outcome outcome, long nowNanos) {
      isEnded = true;
      open.remove(number);
      whenDone.done(outcome, nowNanos);
    }
  }
}
