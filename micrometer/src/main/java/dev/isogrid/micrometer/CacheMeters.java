package dev.isogrid.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The meters of caches in one registry, while there are these caches. Caches come and go after the
 * binding, and there is no event for that: each reading of the number of caches looks for new ones.
 * Thread-safe.
 *
 * @param <C> what is measured of a cache
 */
final class CacheMeters<C> {
  private final MeterRegistry registry;
  private final Supplier<Map<String, C>> present;
  private final Function<C, List<Meter>> binder;

  /** Guarded by itself. */
  private final Map<C, List<Meter>> bound = new HashMap<>();

  /**
   * Creates one.
   *
   * @param present the caches that there are now, by name
   * @param binder registers the meters of a cache
   */
  CacheMeters(
      MeterRegistry registry, Supplier<Map<String, C>> present, Function<C, List<Meter>> binder) {
    this.registry = registry;
    this.present = present;
    this.binder = binder;
  }

  /** Registers the number of caches, and the meters of those that there are. */
  void bind(String name, String description, Iterable<Tag> tags) {
    look();
    Gauge.builder(name, this, CacheMeters::look)
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  /** Begins with caches that are new, and ends with those that are gone; returns their number. */
  private double look() {
    Map<String, C> now = present.get();
    synchronized (bound) {
      // First those that are gone: a new cache of the same name has meters of the same names.
      Map<C, List<Meter>> gone = new HashMap<>(bound);
      gone.keySet().removeAll(Set.copyOf(now.values()));
      gone.forEach((cache, meters) -> {
        bound.remove(cache);
        meters.forEach(registry::remove);
      });
      for (C cache : now.values()) {
        if (!bound.containsKey(cache)) {
          bound.put(cache, binder.apply(cache));
        }
      }
    }
    return now.size();
  }
}
