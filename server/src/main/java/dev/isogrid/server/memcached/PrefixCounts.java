package dev.isogrid.server.memcached;

import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counts of clients' operations by prefixes of keys, up to the first colon. Keys without a
 * colon do not count, nor do meta commands. Counts while an operator requests it. Thread-safe.
 */
final class PrefixCounts {
  /** The most prefixes; keys of further ones do not count. */
  static final int PREFIXES_MAX = 1000;

  private static final byte DELIMITER = ':';

  /** The operations on keys of a prefix. */
  private static final class Counts {
    final LongAdder reads = new LongAdder();
    final LongAdder hits = new LongAdder();
    final LongAdder stores = new LongAdder();
    final LongAdder removals = new LongAdder();
  }

  /** By the bytes of the prefix, each as a character. */
  private final ConcurrentHashMap<String, Counts> byPrefix = new ConcurrentHashMap<>();

  /** Whether uses count. Written by operators' commands. */
  private volatile boolean isOn;

  /** Begins or ends counting; the counts stay. */
  void count(boolean on) {
    isOn = on;
  }

  /** Whether uses count. */
  boolean isOn() {
    return isOn;
  }

  /** Resets the counts. */
  void reset() {
    byPrefix.clear();
  }

  /** Counts the read of a key, which is a part of an array. */
  void read(byte[] bytes, int start, int length, boolean isFound) {
    Counts counts = isOn ? counts(bytes, start, length) : null;
    if (counts != null) {
      counts.reads.increment();
      if (isFound) {
        counts.hits.increment();
      }
    }
  }

  /** Counts a store by a key, which is a part of an array. */
  void store(byte[] bytes, int start, int length) {
    Counts counts = isOn ? counts(bytes, start, length) : null;
    if (counts != null) {
      counts.stores.increment();
    }
  }

  /** Counts a removal of a key, which is a part of an array. */
  void remove(byte[] bytes, int start, int length) {
    Counts counts = isOn ? counts(bytes, start, length) : null;
    if (counts != null) {
      counts.removals.increment();
    }
  }

  private @Nullable Counts counts(byte[] bytes, int start, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[start + i] == DELIMITER) {
        String prefix = new String(bytes, start, i, StandardCharsets.ISO_8859_1);
        Counts known = byPrefix.get(prefix);
        boolean isFull = known == null && byPrefix.mappingCount() >= PREFIXES_MAX;
        return known != null || isFull
            ? known
            : byPrefix.computeIfAbsent(prefix, _ -> new Counts());
      }
    }
    return null;
  }

  /** One line per prefix, sorted, and the line that ends them. */
  byte[] linesAndEnd() {
    StringBuilder lines = new StringBuilder();
    new TreeMap<>(byPrefix)
        .forEach((prefix, counts) ->
            lines.append(
                "PREFIX %s get %d hit %d set %d del %d\r\n"
                    .formatted(
                        prefix,
                        counts.reads.sum(),
                        counts.hits.sum(),
                        counts.stores.sum(),
                        counts.removals.sum())));
    lines.append("END\r\n");
    return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
