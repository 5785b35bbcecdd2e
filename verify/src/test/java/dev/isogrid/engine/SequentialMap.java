package dev.isogrid.engine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sequential results of {@link EvictionOperations}. */
public class SequentialMap {
  private final Map<Integer, Integer> entries = new HashMap<>();

  /** As in {@link EvictionOperations}. */
  public @Nullable Integer get(int key) {
    return entries.get(key);
  }

  /** As in {@link EvictionOperations}. */
  public @Nullable Integer put(int key, int value) {
    return entries.put(key, value);
  }

  /** As in {@link EvictionOperations}. */
  public @Nullable Integer remove(int key) {
    return entries.remove(key);
  }

  /** As in {@link EvictionOperations}: it has no visible effect. */
  public void work() {
    // the journal does not change any result
  }
}
