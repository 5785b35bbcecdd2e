package dev.isogrid.api;

/**
 * Takes what a mapper emits. For the thread that it was handed to, during the call.
 *
 * @param <A> the keys
 * @param <B> the values
 */
@FunctionalInterface
public interface Collector<A, B> {
  /**
   * Adds a pair. Strings, byte arrays, boxed primitives, and whatever is serialisable can be keys
   * and values. Keys belong together if their serialised forms are equal, as those of strings,
   * numbers, enums, and records of these are.
   *
   * @param value not to be changed from then on
   */
  void emit(A key, B value);
}
