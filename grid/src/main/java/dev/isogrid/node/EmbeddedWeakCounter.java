package dev.isogrid.node;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterListener;
import dev.isogrid.api.Subscription;
import dev.isogrid.api.WeakCounter;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A weak counter for users in this process. Thread-safe. */
final class EmbeddedWeakCounter implements WeakCounter {
  private final EmbeddedCounter counter;

  EmbeddedWeakCounter(EmbeddedCounter counter) {
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
  public void add(long delta) {
    counter.addAndGet(delta);
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
  public CompletableFuture<@Nullable Void> addAsync(long delta) {
    return counter.futures().ofVoid(() -> add(delta));
  }

  @Override
  public CompletableFuture<@Nullable Void> resetAsync() {
    return counter.futures().ofVoid(this::reset);
  }

  @Override
  public String toString() {
    return "WeakCounter[name=" + name() + "]";
  }
}
