package dev.isogrid.node;

import dev.isogrid.api.EntryProcessor;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.ProcessedEntry;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The compute operations as processors, for functions that are serialisable. */
final class ComputeProcessors {
  private ComputeProcessors() {}

  private static <V> @Nullable V put(
      ProcessedEntry<?, V> entry, @Nullable V value, long lifespanMillis, long maxIdleMillis) {
    if (value != null) {
      entry.set(value, new Expiry(lifespanMillis, maxIdleMillis));
    } else if (entry.isPresent()) {
      entry.remove();
    }
    return value;
  }

  /** {@link java.util.Map#computeIfPresent}. */
  record IfPresent<K, V>(
      BiFunction<? super K, ? super V, ? extends @Nullable V> remapping,
      long lifespanMillis,
      long maxIdleMillis)
      implements EntryProcessor<K, V, @Nullable V> {
    IfPresent(BiFunction<? super K, ? super V, ? extends @Nullable V> remapping, Expiry expiry) {
      this(remapping, expiry.lifespanMillis(), expiry.maxIdleMillis());
    }

    @Override
    public @Nullable V process(ProcessedEntry<K, V> entry) {
      V current = entry.value();
      return current == null
          ? null
          : put(entry, remapping.apply(entry.key(), current), lifespanMillis, maxIdleMillis);
    }
  }

  /** {@link java.util.Map#compute}. */
  record Always<K, V>(
      BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping,
      long lifespanMillis,
      long maxIdleMillis)
      implements EntryProcessor<K, V, @Nullable V> {
    Always(
        BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping,
        Expiry expiry) {
      this(remapping, expiry.lifespanMillis(), expiry.maxIdleMillis());
    }

    @Override
    public @Nullable V process(ProcessedEntry<K, V> entry) {
      V next = remapping.apply(entry.key(), entry.value());
      return put(entry, next, lifespanMillis, maxIdleMillis);
    }
  }

  /** {@link java.util.Map#merge}. */
  record Merge<K, V>(
      V value,
      BiFunction<? super V, ? super V, ? extends @Nullable V> remapping,
      long lifespanMillis,
      long maxIdleMillis)
      implements EntryProcessor<K, V, @Nullable V> {
    Merge(
        V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping, Expiry expiry) {
      this(value, remapping, expiry.lifespanMillis(), expiry.maxIdleMillis());
    }

    @Override
    public @Nullable V process(ProcessedEntry<K, V> entry) {
      V current = entry.value();
      V next = current == null ? value : remapping.apply(current, value);
      return put(entry, next, lifespanMillis, maxIdleMillis);
    }
  }
}
