package dev.isogrid.api;

/**
 * A {@link Combiner} of numbers, which are kept without one object per number where possible: with
 * {@link Collector#emitText}.
 */
@FunctionalInterface
public interface LongCombiner extends Combiner<Long> {
  /** Adds; beyond the range of {@code long} it starts again from the other end. */
  LongCombiner SUM = Long::sum;

  /** The number that stands for both. */
  long combineLongs(long left, long right);

  @Override
  default Long combine(Long left, Long right) {
    return combineLongs(left, right);
  }
}
