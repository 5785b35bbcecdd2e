package dev.isogrid.node;

import dev.isogrid.api.CacheLoader;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Loads the length of a key, on whichever node; nothing for the key {@code none}. */
public final class CountedLoader implements CacheLoader<String, Integer> {
  /** Calls by all loaders of this process; one test uses it. */
  static final AtomicInteger LOADS = new AtomicInteger();

  /** For grids, which know the class by its name. */
  public CountedLoader() {}

  @Override
  public @Nullable Integer load(String key) {
    LOADS.incrementAndGet();
    return key.equals("none") ? null : key.length();
  }

  @Override
  public Integer reload(String key, Integer oldValue) {
    return oldValue + 100;
  }
}
