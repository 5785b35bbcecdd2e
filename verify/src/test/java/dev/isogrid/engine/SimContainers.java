package dev.isogrid.engine;

import dev.isogrid.topology.Topology;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes the containers of a simulated node, which must know their segments before. */
final class SimContainers implements IntFunction<CommittedEntries>, TopologyListener {
  private final SimOracle oracle;
  private @Nullable Topology told;

  SimContainers(SimOracle oracle) {
    this.oracle = oracle;
  }

  @Override
  public void onTopology(@Nullable Topology before, Topology now) {
    SimOracle.check(
        before == null ? told == null : before.equals(told),
        "not told of a topology: told=%s, before=%s",
        String.valueOf(told),
        String.valueOf(before));
    told = now;
  }

  @Override
  public CommittedEntries apply(int segment) {
    SimOracle.check(
        told != null && segment < told.segments().size(),
        "a segment that nobody was told of: segment=%d, told=%s",
        segment,
        String.valueOf(told));
    return new SimEntries(entry -> oracle.onShown(segment, entry));
  }
}
