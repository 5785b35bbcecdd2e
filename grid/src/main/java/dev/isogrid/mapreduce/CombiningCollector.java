package dev.isogrid.mapreduce;

import dev.isogrid.api.Collector;
import dev.isogrid.api.Combiner;
import dev.isogrid.store.BytesWindow;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;

/**
 * Combines pairs while they are emitted, and passes them on when they take too much memory. For one
 * thread.
 *
 * <p>Their memory is estimated from time to time, by the bytes of some of them: after few pairs at
 * first, then when the limit is probably near. The limit follows the measured ratio of emitted to
 * combined pairs.
 */
final class CombiningCollector implements Collector<Object, Object> {
  /** The number of pairs before the first measurement. */
  private static final int FIRST_LOOK = 64;

  /** The largest growth of the interval between measurements. */
  private static final int LOOK_GROWTH_MAX = 16;

  /** The number of measured pairs. */
  private static final int SAMPLE = 32;

  /** The memory of a pair beside its bytes: two objects and a place in the map. */
  private static final int PAIR_OVERHEAD = 112;

  /** The ratio of emitted to combined pairs below which combining is of little use. */
  private static final double USEFUL_RATIO = 1.1;

  /** The combiner as a function of a map, made once instead of per pair. */
  private final BinaryOperator<Object> combine;

  private final Map<Object, Object> pairs = new HashMap<>();
  private final TextTable texts;
  private final BytesWindow window;
  private final NodeCounters counters;
  private final PairBytes scratch = new PairBytes(256);
  private final long limitMaxBytes;
  private long limitBytes;
  private Target target = new Nowhere();
  private long emitted;
  private long nextLook = FIRST_LOOK;

  /** The target of pairs. */
  interface Target extends TextTable.Target {
    void add(Object key, Object value) throws InterruptedException;
  }

  private static final class Nowhere implements Target {
    @Override
    public void add(Object key, Object value) {}

    @Override
    public void addText(byte[] utf8, int offset, int length, Object value) {}
  }

  /**
   * Begins empty.
   *
   * @param window shows the mapped values
   * @param limitMaxBytes the memory limit of pairs
   */
  CombiningCollector(
      Combiner<Object> combiner, BytesWindow window, long limitMaxBytes, NodeCounters counters) {
    this.combine = (left, right) -> combined(combiner, left, right);
    this.texts = new TextTable(combiner);
    this.window = window;
    this.limitMaxBytes = limitMaxBytes;
    this.limitBytes = limitMaxBytes / 4;
    this.counters = counters;
  }

  /** Sets the target of pairs. */
  void target(Target target) {
    this.target = target;
  }

  /** The value that a combiner makes of two; fails if it gives null, which would drop both. */
  static Object combined(Combiner<Object> combiner, Object left, Object right) {
    return Objects.requireNonNull(combiner.combine(left, right), "a combiner gave null");
  }

  /** An emitted key or value, which must not be null. */
  static Object checked(Object emitted) {
    return Objects.requireNonNull(emitted, "a mapper emitted null as key or value");
  }

  @Override
  public void emit(Object key, Object value) {
    pairs.merge(checked(key), checked(value), combine);
    if (++emitted >= nextLook) {
      look();
    }
  }

  @Override
  public void emitText(ByteBuffer source, int offset, int length, Object value) {
    byte[] array = window.arrayOf(source);
    if (array == null || (offset | length | (source.capacity() - length - offset)) < 0) {
      Collector.super.emitText(source, offset, length, value);
      return;
    }
    texts.add(array, window.offset() + offset, length, checked(value));
    if (++emitted >= nextLook) {
      look();
    }
  }

  private void look() {
    scratch.truncate(0);
    int count = 0;
    for (Map.Entry<Object, Object> pair : pairs.entrySet()) {
      PairCodec.write(pair.getKey(), scratch);
      PairCodec.write(pair.getValue(), scratch);
      if (++count == SAMPLE) {
        break;
      }
    }
    long pairBytes = PAIR_OVERHEAD + 2L * scratch.length() / Math.max(1, count);
    long bytes = pairs.size() * pairBytes + texts.memoryBytes();
    if (bytes >= limitBytes && size() > 0) {
      double ratio = (double) emitted / size();
      tune(ratio, bytes / size());
      flush();
    } else {
      long growth = Math.clamp(limitBytes / Math.max(1, bytes), 2, LOOK_GROWTH_MAX);
      nextLook = bytes * 2 > limitBytes ? emitted + emitted / 4 : emitted * growth;
    }
  }

  private int size() {
    return pairs.size() + texts.size();
  }

  private void tune(double ratio, long pairBytes) {
    String why;
    if (ratio < USEFUL_RATIO) {
      limitBytes = Math.max(limitMaxBytes / 16, limitBytes / 2);
      why = "combining finds little, so pairs are let go early";
    } else {
      limitBytes = Math.min(limitMaxBytes, limitBytes * 2);
      why = "combining pays";
    }
    counters.tuning =
        "%.2f pairs become one, %d B each: %s; limit %d kB of %d kB a worker"
            .formatted(ratio, pairBytes, why, limitBytes >> 10, limitMaxBytes >> 10);
  }

  /** Passes on all pairs. */
  void flush() {
    if (size() == 0) {
      return;
    }
    counters.collectorKeysMax.accumulateAndGet(size(), Math::max);
    try {
      for (Map.Entry<Object, Object> pair : pairs.entrySet()) {
        target.add(pair.getKey(), pair.getValue());
      }
      texts.forEach(target);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
    counters.pairsEmitted.add(emitted);
    clear();
  }

  /** Drops all pairs. */
  void clear() {
    pairs.clear();
    texts.clear();
    emitted = 0;
    nextLook = FIRST_LOOK;
  }
}
