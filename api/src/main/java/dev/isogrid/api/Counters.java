package dev.isogrid.api;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a grid: numbers with a name that all nodes of a cluster, and its Hot Rod clients,
 * share.
 *
 * {@snippet :
 * Counters counters = grid.counters();
 * counters.define("orders", CounterConfig.strong(0));
 * long number = counters.strong("orders").incrementAndGet();
 * }
 *
 * <p>Thread-safe. A counter must be defined before it is used, once for all nodes. Definitions and
 * values live as long as a node of the cluster does.
 *
 * <p>All operations throw {@link RetryableGridException} if they had no effect and can be repeated,
 * and {@link IndeterminateGridException} if they may have had an effect; an operation never takes
 * effect twice.
 */
public interface Counters {
  /** The longest name of a counter, in characters. */
  int NAME_LENGTH_MAX = 255;

  /**
   * Defines a counter.
   *
   * @param name 1 to {@value #NAME_LENGTH_MAX} characters
   * @return false if there is one of this name; it stays as it is
   * @throws InvalidRequestException if the name or the configuration is not allowed
   */
  boolean define(String name, CounterConfig config);

  /** Whether a counter is defined. */
  boolean isDefined(String name);

  /** The definition of a counter, or null if there is none. */
  @Nullable CounterConfig configuration(String name);

  /**
   * A strong counter.
   *
   * @throws InvalidRequestException if there is none, or it is weak
   */
  StrongCounter strong(String name);

  /**
   * A weak counter.
   *
   * @throws InvalidRequestException if there is none, or it is strong
   */
  WeakCounter weak(String name);

  /**
   * Removes the value of a counter; its next use starts from the initial one. Listeners get no
   * event.
   *
   * @return whether there was such a counter
   */
  boolean remove(String name);

  /**
   * Removes a counter with its definition. Operations on it fail from now on. Listeners are told
   * nothing.
   *
   * @return whether there was such a counter
   */
  boolean undefine(String name);

  /** The names of all counters, sorted. Goes to all nodes that keep some. */
  Set<String> names();
}
