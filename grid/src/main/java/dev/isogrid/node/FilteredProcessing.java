package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.EntryFilter;
import dev.isogrid.api.EntryProcessor;
import dev.isogrid.api.ProcessedEntry;
import dev.isogrid.api.function.SerializablePredicate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs a processor on all entries of a cache that a filter takes. */
final class FilteredProcessing {
  /*
   * A stream gives the keys of the entries that the filter takes, each once for as long as its
   * entry is there; the processor is then run for some of them at a time, by operations that take
   * effect once each. The filter sees changes in between, again under the lock of the entry. So a
   * lost node costs the stream its segments' questions, and an operation a retry that is known to
   * be one; nothing is done twice. Keys travel to the caller and back; values don't.
   */
  /** Keys that are under way at the same time, and so all that is kept beside results. */
  private static final int BATCH = 512;

  private FilteredProcessing() {}

  /** Whether an entry of a stream is one that is wanted. */
  private record Wanted<K, V>(EntryFilter<? super K, ? super V> filter)
      implements SerializablePredicate<Map.Entry<K, V>> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean test(Map.Entry<K, V> entry) {
      return filter.test(entry.getKey(), entry.getValue());
    }
  }

  /** Processes an entry that is still wanted. */
  private record IfWanted<K, V, R>(
      EntryFilter<? super K, ? super V> filter,
      EntryProcessor<? super K, V, ? extends @Nullable R> processor)
      implements EntryProcessor<K, V, @Nullable R> {
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings("unchecked") // it takes entries of keys of this type
    public @Nullable R process(ProcessedEntry<K, V> entry) {
      V value = entry.value();
      return value != null && filter.test(entry.key(), value)
          ? ((EntryProcessor<K, V, ? extends @Nullable R>) processor).process(entry)
          : null;
    }
  }

  /** Carries out {@link Cache#invokeAll(EntryFilter, EntryProcessor)}. */
  static <K, V, R> Map<K, R> invokeAll(
      Cache<K, V> cache,
      EntryFilter<? super K, ? super V> filter,
      EntryProcessor<? super K, V, ? extends @Nullable R> processor) {
    Objects.requireNonNull(filter, "filter");
    IfWanted<K, V, R> code = new IfWanted<>(filter, Objects.requireNonNull(processor, "processor"));
    Map<K, R> results = new HashMap<>();
    Set<K> batch = new HashSet<>();
    try (CacheStream<K> wanted =
        cache.entrySet().stream().filter(new Wanted<K, V>(filter)).map(entry -> entry.getKey())) {
      Iterator<K> keys = wanted.iterator();
      while (keys.hasNext()) {
        batch.add(keys.next());
        if (batch.size() == BATCH || !keys.hasNext()) {
          results.putAll(cache.invokeAll(batch, code));
          batch.clear();
        }
      }
    }
    return results;
  }
}
