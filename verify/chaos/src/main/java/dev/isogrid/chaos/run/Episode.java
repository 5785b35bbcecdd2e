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
    return Probes.of(targets, fault.node());
  }

  /** The other probed keys. */
  List<Probes.Target> ofOthers() {
    return Probes.notOf(targets, fault.node());
  }
}
