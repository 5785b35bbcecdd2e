package dev.isogrid.client;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A counter whose changes return nothing. Each takes effect at most once. Thread-safe; the futures
 * are as those of {@link RemoteStrongCounter}.
 */
public final class RemoteWeakCounter {
  private final CounterCalls calls;
  private final CounterConfiguration configuration;

  RemoteWeakCounter(CounterCalls calls, CounterConfiguration configuration) {
    this.calls = calls;
    this.configuration = configuration;
  }

  /** The counter's name. */
  public String getName() {
    return calls.name();
  }

  /** How the counter was defined when this object was made. */
  public CounterConfiguration getConfiguration() {
    return configuration;
  }

  /** The value. */
  public CompletableFuture<Long> getValue() {
    return calls.value();
  }

  /** Adds 1. */
  public CompletableFuture<@Nullable Void> increment() {
    return add(1);
  }

  /** Subtracts 1. */
  public CompletableFuture<@Nullable Void> decrement() {
    return add(-1);
  }

  /** Adds a number, positive or negative. */
  public CompletableFuture<@Nullable Void> add(long delta) {
    return calls.add(delta).thenApply(zero -> null);
  }

  /** Sets the initial value. */
  public CompletableFuture<@Nullable Void> reset() {
    return calls.reset();
  }

  /** Removes the value: the next use of the counter finds the initial one. */
  public CompletableFuture<@Nullable Void> remove() {
    return calls.remove();
  }

  /** See {@link RemoteStrongCounter#addListener}. */
  public CounterSubscription addListener(CounterListener listener) {
    return calls.listen(Objects.requireNonNull(listener, "listener"));
  }

  /** The same operations, which wait for their answers and throw the exceptions of the futures. */
  public Sync sync() {
    return new Sync(this);
  }

  /** See {@link RemoteWeakCounter#sync}. */
  public static final class Sync {
    private final RemoteWeakCounter counter;

    private Sync(RemoteWeakCounter counter) {
      this.counter = counter;
    }

    /** The counter's name. */
    public String getName() {
      return counter.getName();
    }

    /** See {@link RemoteWeakCounter#getConfiguration}. */
    public CounterConfiguration getConfiguration() {
      return counter.getConfiguration();
    }

    /** See {@link RemoteWeakCounter#getValue}. */
    public long getValue() {
      return Answers.awaitAll(counter.getValue());
    }

    /** See {@link RemoteWeakCounter#increment}. */
    public void increment() {
      add(1);
    }

    /** See {@link RemoteWeakCounter#decrement}. */
    public void decrement() {
      add(-1);
    }

    /** See {@link RemoteWeakCounter#add}. */
    public void add(long delta) {
      Answers.awaitAll(counter.add(delta));
    }

    /** See {@link RemoteWeakCounter#reset}. */
    public void reset() {
      Answers.awaitAll(counter.reset());
    }

    /** See {@link RemoteWeakCounter#remove}. */
    public void remove() {
      Answers.awaitAll(counter.remove());
    }
  }
}
