package dev.isogrid.node;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.Transport;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits until a node is a member of its cluster, and tells why it is not. For one thread. */
final class Admission {
  private static final System.Logger log = System.getLogger(Admission.class.getName());

  /** How often it is said what the start waits for. */
  private static final long PATIENCE_MILLIS = 5_000;

  /** A former process of the same name is given up by the others far earlier. */
  private static final long NAME_TAKEN_MILLIS = 2 * PATIENCE_MILLIS;

  private final GridConfig grid;
  private final ClusterConfig config;
  private final MemberProfile self;
  private final Transport transport;
  private final ClusterDriver driver;
  private final TopologyWait topologies;

  Admission(
      GridConfig grid,
      MemberProfile self,
      Transport transport,
      ClusterDriver driver,
      TopologyWait topologies) {
    this.grid = grid;
    this.config = Objects.requireNonNull(grid.cluster());
    this.self = self;
    this.transport = transport;
    this.driver = driver;
    this.topologies = topologies;
  }

  /**
   * Waits.
   *
   * @throws FatalGridException if the node can't become a member, or does not in time; the cause of
   *     the latter is a {@link RetryableGridException}, since another start may find the cluster
   */
  void await() {
    long waited = 0;
    String taken = null;
    while (waited < config.joinTimeoutMillis()) {
      long step = Math.min(PATIENCE_MILLIS, config.joinTimeoutMillis() - waited);
      if (topologies.await(() -> isMember() || driver.refusal() != null, step)) {
        break;
      }
      waited += step;
      taken = driver.pollNameTaken();
      if (taken != null && waited >= NAME_TAKEN_MILLIS) {
        throw new FatalGridException(taken);
      }
      logWaiting(waited, taken);
    }
    String refusal = driver.refusal();
    if (refusal != null) {
      throw new FatalGridException(refusal);
    }
    if (!isMember()) {
      String message =
          ("no cluster: name=%s, node=%s, seeds=%s, waited=%d ms%s; start a majority of the seeds,"
                  + " or one of them with the option to found a cluster if no other is alive")
              .formatted(
                  grid.clusterName(),
                  self.name(),
                  config.seeds(),
                  config.joinTimeoutMillis(),
                  reasons(taken));
      throw new FatalGridException(message, new RetryableGridException("not a member in time"));
    }
  }

  /** The first time with what seems wrong, for that costs some connections. */
  private void logWaiting(long waitedMillis, @Nullable String taken) {
    boolean isFirst = waitedMillis <= PATIENCE_MILLIS;
    log.log(
        isFirst ? Level.WARNING : Level.INFO,
        "waiting for the cluster: name={0}, node={1}, seeds={2}, waited={3} s, since {4}{5}",
        grid.clusterName(),
        self.name(),
        config.seeds(),
        TimeUnit.MILLISECONDS.toSeconds(waitedMillis),
        driver.obstacle(),
        isFirst ? reasons(taken) : "");
  }

  private String reasons(@Nullable String taken) {
    List<SeedAddress> seeds = config.seeds().stream().map(ClusterWiring::seed).toList();
    List<String> reasons = new ArrayList<>(transport.tryOut(seeds));
    String trouble = transport.lastTrouble();
    if (trouble != null) {
      reasons.add("last trouble with a connection: " + trouble);
    }
    if (taken != null) {
      reasons.add(taken);
    }
    return reasons.isEmpty() ? "" : ", found: " + String.join(", ", reasons);
  }

  private boolean isMember() {
    Topology known = driver.topology();
    return known != null && known.member(driver.self()) != null;
  }
}
