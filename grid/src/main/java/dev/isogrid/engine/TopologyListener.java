package dev.isogrid.engine;

import dev.isogrid.topology.Topology;
import org.jspecify.annotations.Nullable;

/** Hears of each topology that a node takes over. */
@FunctionalInterface
public interface TopologyListener {
  /**
   * The node takes a topology over. Called before it makes or changes its replicas; must be short
   * and must not call back.
   *
   * @param before the one before it, which may be older by several epochs; null if there was none
   * @param now the new one
   */
  void onTopology(@Nullable Topology before, Topology now);

  /** The node has taken over one topology or several. Called later by any thread; may call back. */
  default void afterTopology() {}
}
