package dev.isogrid.engine;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The values of one write for several keys of a segment: in place of the value of a {@link
 * LogEntry} whose key is their scope. Immutable.
 *
 * @param byKey the values, at least one
 */
public record ManyValues(Map<Object, Object> byKey) implements Sized {
  /** Copies the map, which keeps its order. */
  public ManyValues {
    if (byKey.isEmpty()) {
      throw new IllegalArgumentException("a write of several keys without any");
    }
    byKey = Collections.unmodifiableMap(new LinkedHashMap<>(byKey));
  }

  /** The value of a key, which is one of these. */
  Object value(Object key) {
    return Objects.requireNonNull(byKey.get(key));
  }

  @Override
  public int sizeBytes() {
    long bytes = 0;
    for (Map.Entry<Object, Object> each : byKey.entrySet()) {
      bytes += SMALL_BYTES + Sized.of(each.getKey()) + Sized.of(each.getValue());
    }
    return Math.toIntExact(Math.min(bytes, Integer.MAX_VALUE));
  }
}
