package dev.isogrid.client;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A counter whose changes return its value. Linearizable; a change takes effect at most once.
 * Thread-safe. The futures fail with {@link CounterNotFoundException} if there is no such counter
 * any more, and otherwise as those of {@link RemoteCache}, which also names the threads that
 * complete them.
 */
public final class RemoteStrongCounter {
  private final CounterCalls calls;
  private final CounterConfiguration configuration;

  RemoteStrongCounter(CounterCalls calls, CounterConfiguration configuration) {
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

  /** Adds 1; see {@link #addAndGet}. */
  public CompletableFuture<Long> incrementAndGet() {
    return addAndGet(1);
  }

  /** Subtracts 1; see {@link #addAndGet}. */
  public CompletableFuture<Long> decrementAndGet() {
    return addAndGet(-1);
  }

  /**
   * Adds a number, positive or negative.
   *
   * @return the value then; fails with {@link CounterOutOfBoundsException} if the sum is beyond a
   *     bound: the value is that bound then
   */
  public CompletableFuture<Long> addAndGet(long delta) {
    return calls.add(delta);
  }

  /**
   * Sets a value if the current one is another.
   *
   * @return whether it was set; fails with {@link CounterOutOfBoundsException} if it would have
   *     been, out of bounds
   */
  public CompletableFuture<Boolean> compareAndSet(long expect, long update) {
    return compareAndSwap(expect, update).thenApply(before -> before == expect);
  }

  /**
   * Sets a value if the current one is another.
   *
   * @return the value before: it was set if that is the expected one; fails as {@link
   *     #compareAndSet}
   */
  public CompletableFuture<Long> compareAndSwap(long expect, long update) {
    return calls.compareAndSwap(expect, update);
  }

  /**
   * Sets a value.
   *
   * @return the value before; fails with {@link CounterOutOfBoundsException} if the new one is out
   *     of bounds
   */
  public CompletableFuture<Long> getAndSet(long value) {
    return calls.getAndSet(value);
  }

  /** Sets the initial value. */
  public CompletableFuture<@Nullable Void> reset() {
    return calls.reset();
  }

  /** Removes the value: the next use of the counter finds the initial one. */
  public CompletableFuture<@Nullable Void> remove() {
    return calls.remove();
  }

  /**
   * Registers a listener for the changes from now on. When its connection is lost, it is registered
   * at another server; changes meanwhile are not reported. A listener that is some 10,000 events
   * behind loses further ones, which is logged.
   *
   * @throws CounterNotFoundException if there is no such counter any more
   */
  public CounterSubscription addListener(CounterListener listener) {
    return calls.listen(Objects.requireNonNull(listener, "listener"));
  }

  /** The same operations, which wait for their answers and throw the exceptions of the futures. */
  public Sync sync() {
    return new Sync(this);
  }

  /** See {@link RemoteStrongCounter#sync}. */
  public static final class Sync {
    private final RemoteStrongCounter counter;

    private Sync(RemoteStrongCounter counter) {
      this.counter = counter;
    }

    /** The counter's name. */
    public String getName() {
      return counter.getName();
    }

    /** See {@link RemoteStrongCounter#getConfiguration}. */
    public CounterConfiguration getConfiguration() {
      return counter.getConfiguration();
    }

    /** See {@link RemoteStrongCounter#getValue}. */
    public long getValue() {
      return Answers.awaitAll(counter.getValue());
    }

    /** See {@link RemoteStrongCounter#incrementAndGet}. */
    public long incrementAndGet() {
      return addAndGet(1);
    }

    /** See {@link RemoteStrongCounter#decrementAndGet}. */
    public long decrementAndGet() {
      return addAndGet(-1);
    }

    /** See {@link RemoteStrongCounter#addAndGet}. */
    public long addAndGet(long delta) {
      return Answers.awaitAll(counter.addAndGet(delta));
    }

    /** See {@link RemoteStrongCounter#compareAndSet}. */
    public boolean compareAndSet(long expect, long update) {
      return Answers.awaitAll(counter.compareAndSet(expect, update));
    }

    /** See {@link RemoteStrongCounter#compareAndSwap}. */
    public long compareAndSwap(long expect, long update) {
      return Answers.awaitAll(counter.compareAndSwap(expect, update));
    }

    /** See {@link RemoteStrongCounter#getAndSet}. */
    public long getAndSet(long value) {
      return Answers.awaitAll(counter.getAndSet(value));
    }

    /** See {@link RemoteStrongCounter#reset}. */
    public void reset() {
      Answers.awaitAll(counter.reset());
    }

    /** See {@link RemoteStrongCounter#remove}. */
    public void remove() {
      Answers.awaitAll(counter.remove());
    }
  }
}
