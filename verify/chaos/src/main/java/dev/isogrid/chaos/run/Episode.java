package dev.isogrid.chaos.run;

import dev.isogrid.chaos.fault.Fault;
import dev.isogrid.chaos.load.Probes;
import java.util.List;

/**
 * A fault of a run. Times are those of the run's clock.
 *
 * @param fault the fault
 * @param startNanos the time of its beginning
 * @param endNanos the time at which its cause ended
 * @param completeNanos the time at which the cluster was complete again
 * @param targets the keys that were probed
 */
record Episode(
    Fault fault, long startNanos, long endNanos, long completeNanos, List<Probes.Target> targets) {
  /** Copies the list. */
  Episode {
    targets = List.copyOf(targets);
  }

  /** The probed keys whose primary owner the fault affected. */
  List<Probes.Target> ofVictim() {
    return targets.stream().filter(target -> target.isPrimary(fault.node())).toList();
  }

  /** The probed keys with a backup owner that the fault affected. */
  List<Probes.Target> withCopyAtVictim() {
    return targets.stream()
        .filter(target -> !target.isPrimary(fault.node()) && !target.isElsewhere(fault.node()))
        .toList();
  }

  /** The probed keys without an owner that the fault affected. */
  List<Probes.Target> ofOthers() {
    return targets.stream().filter(target -> target.isElsewhere(fault.node())).toList();
  }
}
