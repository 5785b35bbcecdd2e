package dev.isogrid.node;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterListener;
import dev.isogrid.api.StrongCounter;
import dev.isogrid.api.Subscription;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A strong counter for users in this process. Thread-safe. */
final class EmbeddedStrongCounter implements StrongCounter {
  private final EmbeddedCounter counter;

  EmbeddedStrongCounter(EmbeddedCounter counter) {
    this.counter = counter;
  }

  @Override
  public String name() {
    return counter.name();
  }

  @Override
  public CounterConfig config() {
    return counter.config();
  }

  @Override
  public long value() {
    return counter.value();
  }

  @Override
  public long addAndGet(long delta) {
    return counter.addAndGet(delta);
  }

  @Override
  public long compareAndSwap(long expect, long update) {
    return counter.before(counter.table().compareAndSwap(name(), expect, update), update);
  }

  @Override
  public long getAndSet(long value) {
    return counter.before(counter.table().getAndSet(name(), value), value);
  }

  @Override
  public void reset() {
    counter.reset();
  }

  @Override
  public Subscription addListener(CounterListener listener) {
    return counter.addListener(listener);
  }

  @Override
  public CompletableFuture<Long> valueAsync() {
    return counter.futures().of(this::value);
  }

  @Override
  public CompletableFuture<Long> addAndGetAsync(long delta) {
    return counter.futures().of(() -> addAndGet(delta));
  }

  @Override
  public CompletableFuture<Boolean> compareAndSetAsync(long expect, long update) {
    return counter.futures().of(() -> compareAndSet(expect, update));
  }

  @Override
  public CompletableFuture<Long> compareAndSwapAsync(long expect, long update) {
    return counter.futures().of(() -> compareAndSwap(expect, update));
  }

  @Override
  public CompletableFuture<Long> getAndSetAsync(long value) {
    return counter.futures().of(() -> getAndSet(value));
  }

  @Override
  public CompletableFuture<@Nullable Void> resetAsync() {
    return counter.futures().ofVoid(this::reset);
  }

  @Override
  public String toString() {
    return "StrongCounter[name=" + name() + "]";
  }
}
