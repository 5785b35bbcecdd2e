package dev.isogrid.engine;

import dev.isogrid.engine.SimCommand.Kind;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls and answers of clients of one cache, for users in other packages. */
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

  /** An operation in progress. */
  public static final class Call {
    private final History.WhenDone whenDone;

    private Call(History.WhenDone whenDone) {
      this.whenDone = whenDone;
    }

    /** Notes an answer. */
    public void done(@Nullable Object answer, long nowNanos) {
      whenDone.done(new Outcome(Outcome.Kind.DONE, answer), nowNanos);
    }

    /** Notes that it was not done, and will not be. */
    public void failed(long nowNanos) {
      whenDone.done(new Outcome(Outcome.Kind.FAILED, null), nowNanos);
    }

    /** Notes that it may have been done, or may be done later. */
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

  /** Stores; the answer is the previous value. */
  public Call put(Object key, Object value, long nowNanos) {
    return call(Kind.PUT, key, null, value, nowNanos);
  }

  /** Stores without an answer. */
  public Call set(Object key, Object value, long nowNanos) {
    return call(Kind.SET, key, null, value, nowNanos);
  }

  /** Removes; the answer is the previous value. */
  public Call remove(Object key, long nowNanos) {
    return call(Kind.REMOVE, key, null, null, nowNanos);
  }

  /** Stores if there is no entry; the answer is the previous value. */
  public Call putIfAbsent(Object key, Object value, long nowNanos) {
    return call(Kind.PUT_IF_ABSENT, key, null, value, nowNanos);
  }

  /** Stores in place of a value; the answer is whether the entry had that value. */
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

  /** The number of operations with an answer. */
  public int known() {
    return history.known();
  }

  /** The number of operations of unknown outcome. */
  public int unknown() {
    return history.unknown();
  }

  /** A read of a replaced value, or of a value that was never written; else null. */
  public @Nullable String staleRead() {
    return history.staleRead();
  }

  /**
   * The operations that no sequential order explains, or null.
   *
   * @throws IllegalStateException if there are too many possible orders to try them all
   */
  public @Nullable String problem() {
    try {
      return history.problem();
    } catch (History.TooLong tooLong) {
      throw new IllegalStateException(tooLong);
    }
  }
}
