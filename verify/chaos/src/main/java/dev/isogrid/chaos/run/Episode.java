package dev.isogrid.chaos.run;

import dev.isogrid.chaos.fault.Fault;
import dev.isogrid.chaos.load.Probes;
import java.util.List;

/**
 * A fault that happened. Times are those of the run's clock.
 *
 * @param fault what happened
 * @param startNanos when it began
 * @param endNanos when its cause was gone
 * @param completeNanos when the cluster was complete again
 * @param targets the keys that were probed
 */
record Episode(
    Fault fault, long startNanos, long endNanos, long completeNanos, List<Probes.Target> targets) {
  /** Copies the list. */
  Episode {
    targets = List.copyOf(targets);
  }

  /** The probed keys whose primary owner the fault happened to. */
  List<Probes.Target> ofVictim() {
    return targets.stream().filter(target -> target.isPrimary(fault.node())).toList();
  }

  /** The probed keys that have another owner there. */
  List<Probes.Target> withCopyAtVictim() {
    return targets.stream()
        .filter(target -> !target.isPrimary(fault.node()) && !target.isElsewhere(fault.node()))
        .toList();
  }

  /** The probed keys that have nothing to do with it. */
  List<Probes.Target> ofOthers() {
    return targets.stream().filter(target -> target.isElsewhere(fault.node())).toList();
  }
}
