package dev.isogrid.engine;

import dev.isogrid.engine.SimCommand.Kind;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What clients of one cache did and saw, for those that are not of this package. */
public final class KeyHistory {
  private final History history = new History();
  private final boolean isLossy;

  /**
   * Begins with an empty cache.
   *
   * @param isLossy whether entries may vanish by themselves
   */
  public KeyHistory(boolean isLossy) {
    this.isLossy = isLossy;
  }

  /** An operation that was called. */
  public static final class Call {
    private final History.WhenDone whenDone;

    private Call(History.WhenDone whenDone) {
      this.whenDone = whenDone;
    }

    /** It was done, with an answer. */
    public void done(@Nullable Object answer, long nowNanos) {
      whenDone.done(new Outcome(Outcome.Kind.DONE, answer), nowNanos);
    }

    /** It was not done, and will not be. */
    public void failed(long nowNanos) {
      whenDone.done(new Outcome(Outcome.Kind.FAILED, null), nowNanos);
    }

    /** It may have been done, or be done some time. */
    public void unknown(long nowNanos) {
      whenDone.done(new Outcome(Outcome.Kind.INDETERMINATE, null), nowNanos);
    }
  }

  private Call call(
      Kind kind, Object key, @Nullable Object expected, @Nullable Object value, long nowNanos) {
    return call(kind, List.of(key), expected, value, nowNanos);
  }

  private Call call(
      Kind kind,
      Collection<?> keys,
      @Nullable Object expected,
      @Nullable Object value,
      long nowNanos) {
    Object key = keys.iterator().next();
    SimCommand command = new SimCommand(kind, key, expected, value, isLossy);
    return new Call(history.call(command, keys, nowNanos));
  }

  /** Reads; the answer is the value. */
  public Call get(Object key, long nowNanos) {
    return call(Kind.GET, key, null, null, nowNanos);
  }

  /** Stores; the answer is the value before. */
  public Call put(Object key, Object value, long nowNanos) {
    return call(Kind.PUT, key, null, value, nowNanos);
  }

  /** Stores without an answer. */
  public Call set(Object key, Object value, long nowNanos) {
    return call(Kind.SET, key, null, value, nowNanos);
  }

  /** Removes; the answer is the value before. */
  public Call remove(Object key, long nowNanos) {
    return call(Kind.REMOVE, key, null, null, nowNanos);
  }

  /** Stores if there is nothing; the answer is the value before. */
  public Call putIfAbsent(Object key, Object value, long nowNanos) {
    return call(Kind.PUT_IF_ABSENT, key, null, value, nowNanos);
  }

  /** Stores in place of a value; the answer is whether it was that. */
  public Call replace(Object key, Object expected, Object value, long nowNanos) {
    return call(Kind.REPLACE, key, expected, value, nowNanos);
  }

  /** Removes the entries of keys; there is no answer. */
  public Call clear(Collection<?> keys, long nowNanos) {
    return call(Kind.CLEAR, keys, null, null, nowNanos);
  }

  /** Adds to a number; the answer is the sum. */
  public Call add(Object key, long delta, long nowNanos) {
    return call(Kind.ADD, key, null, delta, nowNanos);
  }

  /** How many operations had an answer. */
  public int known() {
    return history.known();
  }

  /** How many operations may have been done or not. */
  public int unknown() {
    return history.unknown();
  }

  /** What was read after it had been replaced, or without having been written; else null. */
  public @Nullable String staleRead() {
    return history.staleRead();
  }

  /**
   * What can't be explained by an order one after the other, or null.
   *
   * @throws IllegalStateException if too many orders are possible to try them all
   */
  public @Nullable String problem() {
    try {
      return history.problem();
    } catch (History.TooLong tooLong) {
      throw new IllegalStateException(tooLong);
    }
  }
}
