package dev.isogrid.verify.lincheck;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sequential results of the operations. */
public class SequentialCache {
  private final Map<Integer, Integer> values = new HashMap<>();
  private final Map<Integer, Integer> sequences = new HashMap<>();

  /** The writes of each segment so far. */
  private final int[] writes = {CacheOperations.FIRST_WRITES, 0};

  private @Nullable Integer store(int key, @Nullable Integer value) {
    int sequence = ++writes[key / 2];
    if (value == null) {
      sequences.remove(key);
      return values.remove(key);
    }
    sequences.put(key, sequence);
    return values.put(key, value);
  }

  /** As the operation of the cache. */
  public @Nullable Integer get(int key) {
    return values.get(key);
  }

  /** As the operation of the cache. */
  public String entry(int key) {
    Integer value = values.get(key);
    return value == null ? "none" : value + "#" + sequences.get(key);
  }

  /** As the operation of the cache. */
  public @Nullable Integer put(int key, int value) {
    return store(key, value);
  }

  /** As the operation of the cache. */
  public @Nullable Integer putIfAbsent(int key, int value) {
    Integer present = values.get(key);
    return present == null ? store(key, value) : present;
  }

  /** As the operation of the cache. */
  public @Nullable Integer remove(int key) {
    return values.containsKey(key) ? store(key, null) : null;
  }

  /** As the operation of the cache. */
  public boolean removeIfEqual(int key, int value) {
    Integer present = values.get(key);
    boolean equal = present != null && present == value;
    if (equal) {
      store(key, null);
    }
    return equal;
  }

  /** As the operation of the cache. */
  public boolean replace(int key, int expected, int value) {
    Integer present = values.get(key);
    boolean equal = present != null && present == expected;
    if (equal) {
      store(key, value);
    }
    return equal;
  }

  /** As the operation of the cache. */
  public @Nullable Integer count(int key) {
    Integer next = CacheOperations.next(values.get(key));
    store(key, next);
    return next;
  }

  /** As the operation of the cache. */
  public @Nullable Integer add(int key, int value) {
    Integer sum = values.getOrDefault(key, 0) + value;
    store(key, sum);
    return sum;
  }

  /** As the operation of the cache. */
  public boolean replaceIfVersion(int key, int value, int sequence) {
    Integer present = sequences.get(key);
    boolean equal = present != null && present == sequence;
    if (equal) {
      store(key, value);
    }
    return equal;
  }
}
